/// Reads the tags of one enum's values.
@frozen
@usableFromInline
struct EnumTagReader: @unchecked Sendable {
  // Unchecked: it points to metadata, which is constant.
  @usableFromInline typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  @usableFromInline let metadata: UnsafeRawPointer
  @usableFromInline let getTag: GetTag

  init(_ metadata: UnsafeRawPointer, _ getTag: @escaping GetTag) {
    self.metadata = metadata
    self.getTag = getTag
  }

  /// The tag of `value`, which must be of this enum.
  @inlinable
  func tag<Root>(of value: Root) -> Int {
    withUnsafePointer(to: value) { Int(getTag(UnsafeRawPointer($0), metadata)) }
  }

  /// The tag of the value at `pointer`, which must be of this enum.
  @inlinable
  func tag(at pointer: UnsafeRawPointer) -> Int { Int(getTag(pointer, metadata)) }
}

/// The three value witnesses that only enums have.
@frozen
@usableFromInline
struct EnumWitnesses: @unchecked Sendable {
  // Unchecked: it points to metadata, which is constant.
  @usableFromInline typealias Project =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  @usableFromInline typealias Inject =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  /// Reads tags.
  @usableFromInline let tags: EnumTagReader
  /// Whether a value's bytes may be inspected at another address; `false` if the value depends on
  /// its own address.
  let isBitwiseTakable: Bool
  @usableFromInline let metadata: UnsafeRawPointer
  @usableFromInline let projectData: Project
  private let injectTag: Inject

  /// - Parameter metadata: of an enum type.
  init(_ metadata: UnsafeRawPointer) {
    self.metadata = metadata
    let word = MemoryLayout<Int>.size
    let table = (metadata - word).load(as: UnsafeRawPointer.self)
    let flags = table.load(fromByteOffset: 10 * word, as: UInt32.self)
    isBitwiseTakable = flags & 0x0010_0000 == 0
    // Eight functions, size and stride, then two 32-bit fields; the enum witnesses follow.
    let first = 8 * word + 2 * word + 8
    tags = EnumTagReader(
      metadata,
      unsafeBitCast(
        table.load(fromByteOffset: first, as: UnsafeRawPointer.self),
        to: EnumTagReader.GetTag.self))
    projectData = unsafeBitCast(
      table.load(fromByteOffset: first + word, as: UnsafeRawPointer.self), to: Project.self)
    injectTag = unsafeBitCast(
      table.load(fromByteOffset: first + 2 * word, as: UnsafeRawPointer.self), to: Inject.self)
  }

  @inlinable func tag(at pointer: UnsafeRawPointer) -> Int { tags.tag(at: pointer) }
  @inlinable func project(_ pointer: UnsafeMutableRawPointer) { projectData(pointer, metadata) }
  func inject(_ pointer: UnsafeMutableRawPointer, _ tag: Int) {
    injectTag(pointer, UInt32(tag), metadata)
  }
}
