/// Finds the payload of one case where it lies.
@usableFromInline
struct CaseFinder: Sendable {
  private let witnesses: EnumWitnesses
  private let tag: Int
  private let size: Int
  private let alignment: Int
  private let isIndirect: Bool
  /// Where the payload is in its heap box.
  private let offsetInBox: Int

  /// - Parameters:
  ///   - metadata: of an enum whose values' bytes may be looked at elsewhere.
  ///   - tag: the case.
  ///   - root: the enum.
  ///   - offsetInBox: where the payload is in its heap box, in bytes.
  init<Root>(_ metadata: EnumMetadata, tag: Int, of root: Root.Type, offsetInBox: Int) {
    witnesses = metadata.witnesses
    self.tag = tag
    size = MemoryLayout<Root>.size
    alignment = MemoryLayout<Root>.alignment
    isIndirect = metadata.isIndirect(tag)
    self.offsetInBox = offsetInBox
  }

  /// Where the payload of the run's action is; `nil` where that is in another case.
  ///
  /// What is not in a box lies in the run's memory then: the bytes of the action are copied, not the
  /// action, and nothing in it is retained.
  @inline(__always)
  func find(_ run: inout DescentRun) -> UnsafeRawPointer? {
    let found = run.tag >= 0 ? run.tag : witnesses.tag(at: run.action)
    guard found == tag else { return nil }
    if isIndirect, size == MemoryLayout<UInt>.size {
      var word = run.action.load(as: UInt.self)
      witnesses.project(&word)
      return UnsafeRawPointer(bitPattern: word).map { $0 + offsetInBox }
    }
    let payload = run.memory.copy(run.action, size: size, alignment: alignment)
    witnesses.project(payload)
    return isIndirect
      ? payload.load(as: UnsafeRawPointer.self) + offsetInBox : UnsafeRawPointer(payload)
  }
}
