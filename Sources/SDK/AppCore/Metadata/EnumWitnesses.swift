/// The three value witnesses that only enums have.
struct EnumWitnesses {
  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  private typealias Inject =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  private let metadata: UnsafeRawPointer
  private let getTag: GetTag
  private let projectData: Project
  private let injectTag: Inject

  /// - Parameter metadata: of an enum type.
  init(_ metadata: UnsafeRawPointer) {
    self.metadata = metadata
    let word = MemoryLayout<Int>.size
    let table = (metadata - word).load(as: UnsafeRawPointer.self)
    // Eight functions, size and stride, then two 32-bit fields; the enum witnesses follow.
    let first = 8 * word + 2 * word + 8
    getTag = unsafeBitCast(
      table.load(fromByteOffset: first, as: UnsafeRawPointer.self), to: GetTag.self)
    projectData = unsafeBitCast(
      table.load(fromByteOffset: first + word, as: UnsafeRawPointer.self), to: Project.self)
    injectTag = unsafeBitCast(
      table.load(fromByteOffset: first + 2 * word, as: UnsafeRawPointer.self), to: Inject.self)
  }

  func tag(at pointer: UnsafeRawPointer) -> Int { Int(getTag(pointer, metadata)) }
  func project(_ pointer: UnsafeMutableRawPointer) { projectData(pointer, metadata) }
  func inject(_ pointer: UnsafeMutableRawPointer, _ tag: Int) {
    injectTag(pointer, UInt32(tag), metadata)
  }
}
