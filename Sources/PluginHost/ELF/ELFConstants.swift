/// Constants of the ELF specification and of GNU's extensions to it.
enum ELFConstants {
  static let headerSize: UInt64 = 64
  static let programHeaderSize: UInt64 = 56
  static let sectionHeaderSize: UInt64 = 64
  static let dynamicEntrySize: UInt64 = 16
  static let symbolSize: UInt64 = 24

  static let classes64: UInt8 = 2
  static let littleEndian: UInt8 = 1

  enum FileType {
    static let relocatable: UInt16 = 1
    static let executable: UInt16 = 2
    static let sharedObject: UInt16 = 3
    static let core: UInt16 = 4
  }

  enum Machine {
    static let amd64: UInt16 = 62
    static let arm64: UInt16 = 183

    #if arch(x86_64)
      static let host = amd64
    #elseif arch(arm64)
      static let host = arm64
    #endif

    static func name(_ machine: UInt16) -> String {
      switch machine {
      case 3: "i386"
      case 8: "MIPS"
      case 20: "PowerPC"
      case 21: "PowerPC64"
      case 22: "S390"
      case 40: "ARM"
      case amd64: "x86-64"
      case arm64: "AArch64"
      case 243: "RISC-V"
      case 258: "LoongArch"
      default: "machine number \(machine)"
      }
    }
  }

  enum Segment {
    static let load: UInt32 = 1
    static let dynamic: UInt32 = 2
    static let note: UInt32 = 4
    static let programHeaders: UInt32 = 6
    static let threadStorage: UInt32 = 7
    static let readOnlyAfterRelocation: UInt32 = 0x6474_e552
  }

  enum Section {
    static let noBits: UInt32 = 8
    static let dynamicSymbols: UInt32 = 11
  }

  enum Tag {
    static let null: UInt64 = 0
    static let needed: UInt64 = 1
    static let hash: UInt64 = 4
    static let strings: UInt64 = 5
    static let symbols: UInt64 = 6
    static let stringsSize: UInt64 = 10
    static let symbolSize: UInt64 = 11
    static let soname: UInt64 = 14
    static let rpath: UInt64 = 15
    static let auxiliary: UInt64 = 0x7fff_fffd
    static let filter: UInt64 = 0x7fff_ffff
    static let runpath: UInt64 = 29
    static let gnuHash: UInt64 = 0x6fff_fef5
    static let versions: UInt64 = 0x6fff_fff0
    static let flags1: UInt64 = 0x6fff_fffb
    static let versionDefinitions: UInt64 = 0x6fff_fffc
    static let versionNeeds: UInt64 = 0x6fff_fffe
  }

  /// Our own limits, far above what linkers write: with tables that refer to one another, a small
  /// file could otherwise take hours.
  enum Limit {
    static let programHeaders: UInt16 = 128
    static let needed = 1024
    static let versions = 65_536
    static let noteBytes: UInt64 = 1 << 20
    static let stringBytes = 65_536
    /// The maximum total length of all names, as a multiple of the string table's size.
    static let nameShare: UInt64 = 8
  }

  /// Set in `DT_FLAGS_1` of a position-independent executable, which otherwise looks like a
  /// library.
  static let positionIndependentExecutable: UInt64 = 0x0800_0000
  /// The type of the GNU note that holds the build's identifier.
  static let buildIDNote: UInt32 = 3
}
