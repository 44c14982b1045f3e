/// How types are coded that are no scalars of the standard library's.
///
/// To ask the runtime what a type conforms to takes longer than to code a number, so the answers are
/// kept. Used on one thread at a time.
package final class CodedTypes {
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
  // By the type's address. Where two share a place, each drives the other out.
  @exclusivity(unchecked) private var known = InlineArray<32, Known>(repeating: Known())

  package init() {}

  func kind<T>(of type: T.Type) -> Kind {
    let id = ObjectIdentifier(type)
    let place = Int(bitPattern: UInt(bitPattern: id) >> 4) & 31
    if known[place].type == id { return known[place].kind }
    let kind: Kind =
      if type is any FixedWidthInteger.Type {
        .integer
      } else if EnumMetadata.isPlain(type) {
        .plainEnum
      } else {
        .ordinary
      }
    known[place] = Known(type: id, kind: kind)
    return kind
  }
}
