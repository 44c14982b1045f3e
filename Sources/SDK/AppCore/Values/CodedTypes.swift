internal import Glibc

/// How types are coded that are no scalars of the standard library's.
///
/// To ask the runtime what a type conforms to takes longer than to code a number, so each thread
/// keeps the answers that it got last.
enum CodedTypes {
  enum Kind: UInt8 {
    /// Through its own coding.
    case ordinary
    /// Likewise; an enum whose cases carry nothing.
    case plainEnum
    /// As a number.
    case integer
  }
  private struct Known {
    var type: ObjectIdentifier?
    var kind = Kind.ordinary
  }
  private static let count = 64

  /// The thread's own table; `nil` where there is no room for one.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()

  /// How a type is coded.
  static func kind<T>(of type: T.Type) -> Kind {
    guard let key else { return asked(type) }
    guard let table = pthread_getspecific(key) ?? table(key) else { return asked(type) }
    let known = table.assumingMemoryBound(to: Known.self)
    let id = ObjectIdentifier(type)
    // By the type's address. Where two share a place, each drives the other out.
    let place = Int(bitPattern: UInt(bitPattern: id) >> 4) & (count - 1)
    if known[place].type == id { return known[place].kind }
    let kind = asked(type)
    known[place] = Known(type: id, kind: kind)
    return kind
  }

  private static func table(_ key: pthread_key_t) -> UnsafeMutableRawPointer? {
    guard let table = malloc(count * MemoryLayout<Known>.stride) else { return nil }
    table.bindMemory(to: Known.self, capacity: count).initialize(repeating: Known(), count: count)
    guard pthread_setspecific(key, table) == 0 else {
      free(table)
      return nil
    }
    return table
  }

  private static func asked<T>(_ type: T.Type) -> Kind {
    if type is any FixedWidthInteger.Type { return .integer }
    return EnumMetadata.isPlain(type) ? .plainEnum : .ordinary
  }
}
