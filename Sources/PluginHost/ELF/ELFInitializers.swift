/// The functions that the loader calls when it has loaded the file, and at the process's end.
struct ELFInitializers {
  private let segments: ELFSegments
  private let dynamic: ELFDynamic

  init(_ segments: ELFSegments, _ dynamic: ELFDynamic) {
    self.segments = segments
    self.dynamic = dynamic
  }

  func check() throws(ELFError) {
    typealias Tag = ELFConstants.Tag
    try checkFunction(Tag.initializer, "DT_INIT")
    try checkFunction(Tag.finalizer, "DT_FINI")
    try checkArray(Tag.initializers, Tag.initializersSize, "DT_INIT_ARRAYSZ")
    try checkArray(Tag.finalizers, Tag.finalizersSize, "DT_FINI_ARRAYSZ")
  }

  private func checkFunction(_ tag: UInt64, _ name: String) throws(ELFError) {
    guard let address = dynamic[tag] else { return }
    guard segments.loads.contains(where: { $0.isExecutable && $0.holdsFileBytes(1, at: address) })
    else {
      throw .malformed(
        .initializers, at: dynamic.offset, expected: "\(name) in executable memory",
        found: hex(address))
    }
  }

  private func checkArray(_ tag: UInt64, _ sizeTag: UInt64, _ name: String) throws(ELFError) {
    guard let address = dynamic[tag] else { return }
    let size = try dynamic.require(sizeTag, name)
    guard size % 8 == 0, segments.loads.contains(where: { $0.holds(size, at: address) }) else {
      throw .malformed(
        .initializers, at: dynamic.offset, expected: "\(name) of functions within the file",
        found: "\(hex(size)) bytes at \(hex(address))")
    }
  }
}
