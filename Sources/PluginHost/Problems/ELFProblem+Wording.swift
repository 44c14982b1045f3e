extension ELFProblem {
  var message: String {
    let place = "the \(structure.rawValue) at \(hex(offset))"
    switch kind {
    case .notELF(.unknown): return "this is not an ELF file"
    case .notELF(let file): return "this is \(file.rawValue)"
    case .notClass64(1): return "it is for 32-bit programs"
    case .notClass64(let found): return "its class at 0x4 is \(found) instead of 2 (64-bit)"
    case .notLittleEndian(2): return "it is for a big-endian machine"
    case .notLittleEndian(let found):
      return "its byte order at 0x5 is \(found) instead of 1 (little-endian)"
    case .otherMachine(let machine, let host):
      return "it is for \(ELFConstants.Machine.name(machine)), and this host is "
        + ELFConstants.Machine.name(host)
    case .notSharedObject(let type): return "this is \(type.words), not a shared library"
    case .truncated(.max, _): return "\(place) reaches past the end of all memory"
    case .truncated(let end, let size):
      return "cut off: \(place) reaches to \(hex(end)), and the file ends at \(hex(size))"
    case .malformed(let expected, let found):
      return "damaged: \(place) should have \(expected), and has \(found)"
    }
  }

  var remedy: String {
    switch kind {
    case .notELF(.text), .notELF(.compressed), .notELF(.unknown): "name the plugin's .so file"
    case .notELF, .notSharedObject:
      "build the plugin as a dynamic library: `appcore plugin build`, or a product of type .dynamic"
    case .notClass64, .notLittleEndian, .otherMachine: "build the plugin for this machine"
    case .truncated, .malformed: "build or copy the file again"
    }
  }

  var code: String {
    switch kind {
    case .notELF: "plugin-not-elf"
    case .notClass64, .notLittleEndian, .otherMachine: "plugin-other-machine"
    case .notSharedObject: "plugin-not-shared"
    case .truncated: "plugin-truncated"
    case .malformed: "plugin-damaged"
    }
  }
}

extension ELFProblem.FileType {
  var words: String {
    switch self {
    case .relocatable: "an object file"
    case .executable: "an executable"
    case .core: "a core dump"
    case .unknown(let number): "an ELF file of type \(number)"
    }
  }
}
