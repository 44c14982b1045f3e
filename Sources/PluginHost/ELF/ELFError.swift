/// A defect in a file that should be a shared object.
///
/// It names the structure, its offset and the expected value, so that the message can be checked
/// against the output of `readelf`. Offsets are in bytes from the start of the file.
public struct ELFError: Error, Hashable, Sendable {
  /// A structure of the format, in the words of its specification.
  public enum Structure: String, Hashable, Sendable {
    case fileHeader = "file header"
    case programHeaders = "program header table"
    case sectionHeaders = "section header table"
    case loadSegment = "loadable segment"
    case dynamicSection = "dynamic section"
    case stringTable = "dynamic string table"
    case symbolTable = "dynamic symbol table"
    case hashTable = "symbol hash table"
    case gnuHashTable = "GNU hash table"
    case relocations = "relocation table"
    case versionTable = "symbol version table"
    case initializers = "initializer table"
    case notes = "note segment"
    case threadStorage = "thread storage segment"
  }

  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// The file does not begin with ELF's magic number.
    case notELF(ForeignFile)
    /// The file's class is not 64 bits.
    case notClass64(UInt8)
    /// The file's byte order is not little-endian.
    case notLittleEndian(UInt8)
    /// The file is for another processor.
    case otherMachine(UInt16, host: UInt16)
    /// The file is an ELF file, but not a shared object.
    case notSharedObject(FileType)
    /// A structure reaches past the end of the file.
    case truncated(end: UInt64, fileSize: UInt64)
    /// A structure holds a value that it can't have.
    case malformed(expected: String, found: String)
  }

  /// The type of an ELF file that is not a shared object.
  public enum FileType: Hashable, Sendable {
    case relocatable
    case executable
    case core
    case unknown(UInt16)
  }

  /// The structure that is wrong.
  public let structure: Structure
  /// The offset of the structure, in bytes from the start of the file.
  public let offset: UInt64
  /// What is wrong with it.
  public let kind: Kind

  init(_ structure: Structure, at offset: UInt64, _ kind: Kind) {
    self.structure = structure
    self.offset = offset
    self.kind = kind
  }

  static func malformed(
    _ structure: Structure, at offset: UInt64, expected: String, found: some CustomStringConvertible
  ) -> ELFError {
    ELFError(structure, at: offset, .malformed(expected: expected, found: found.description))
  }
}
