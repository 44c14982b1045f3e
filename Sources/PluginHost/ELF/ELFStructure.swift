internal import Support

/// A structure of the format, in the words of its specification.
enum ELFStructure: String {
  case fileHeader = "file header"
  case programHeaders = "program header table"
  case sectionHeaders = "section header table"
  case loadSegment = "loadable segment"
  case dynamicSection = "dynamic section"
  case stringTable = "dynamic string table"
  case symbolTable = "dynamic symbol table"
  case hashTable = "symbol hash table"
  case gnuHashTable = "GNU hash table"
  case versionTable = "symbol version table"
  case notes = "note segment"
  case threadStorage = "thread storage segment"
}

// Messages name the structure, its offset from the start of the file and the expected value, so that
// they can be checked against the output of `readelf`.
extension Rejection {
  /// A structure holds a value that it can't have.
  static func malformed(
    _ structure: ELFStructure, at offset: UInt64, expected: String,
    found: some CustomStringConvertible
  ) -> Rejection {
    Rejection(
      .pluginDamaged,
      "damaged: the \(structure.rawValue) at \(hex(offset)) should have \(expected), and has \(found)"
    )
  }

  /// The file is an ELF file, but not a shared object.
  static func notShared(_ kind: String) -> Rejection {
    Rejection(.pluginNotShared, "this is \(kind), not a shared library")
  }
}
