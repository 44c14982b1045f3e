/// The elements of a tuple type, with their labels.
struct TupleMetadata {
  /// One element of the tuple.
  struct Element {
    /// The label; `nil` if the element has none.
    let label: String?
    let type: Any.Type
    /// The element's offset from the tuple's start, in bytes.
    let offset: Int
  }

  let elements: [Element]

  /// The elements of a payload: those of a tuple, or else the payload itself.
  static func elements(of payload: Any.Type) -> [Element] {
    TupleMetadata(payload)?.elements ?? [Element(label: nil, type: payload, offset: 0)]
  }

  /// The metadata of `type`; `nil` if it is not a tuple.
  init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x301 else { return nil }
    let word = MemoryLayout<Int>.size
    let count = metadata.load(fromByteOffset: word, as: Int.self)
    let labels = metadata.load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self)
    // One string holds all labels, each followed by a space.
    let names =
      labels.map {
        String(cString: $0).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      } ?? []
    elements = (0..<count).map { index in
      let element = metadata + 3 * word + index * 2 * word
      let label = names.indices.contains(index) && !names[index].isEmpty ? names[index] : nil
      return Element(
        label: label,
        type: unsafeBitCast(element.load(as: UnsafeRawPointer.self), to: (Any.Type).self),
        offset: Int(element.load(fromByteOffset: word, as: UInt32.self)))
    }
  }
}

extension TupleMetadata {
  /// The values of a payload at `start`, one by one: of a tuple its elements.
  static func parts(
    of payload: Any.Type, at start: UnsafeRawPointer
  ) -> [(label: String?, value: Any)] {
    elements(of: payload).map { element in
      func copy<T>(_ type: T.Type) -> Any {
        (start + element.offset).assumingMemoryBound(to: T.self).pointee
      }
      return (element.label, _openExistential(element.type, do: copy))
    }
  }

  /// Puts the values of a payload, which are of its elements' types, into memory without a value.
  static func put(_ parts: [Any], of payload: Any.Type, at start: UnsafeMutableRawPointer) {
    for (element, part) in zip(elements(of: payload), parts) {
      func put<T>(_ part: T) { (start + element.offset).initializeMemory(as: T.self, to: part) }
      _openExistential(part, do: put)
    }
  }

  /// The elements of a tuple.
  static func parts<T>(of tuple: T) -> [(label: String?, value: Any)] {
    withUnsafePointer(to: tuple) { parts(of: T.self, at: $0) }
  }

  /// The tuple with these elements, which are of its types.
  static func tuple<T>(_ type: T.Type, of parts: [Any]) -> T? {
    withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer -> T? in
      guard let start = buffer.baseAddress else { return nil }
      put(parts, of: T.self, at: start)
      return start.move()
    }
  }
}

/// The type of a payload as the case's constructor takes it: `String` for `(name: String)`.
func unlabelled(_ payload: Any.Type) -> Any.Type {
  guard let tuple = TupleMetadata(payload), tuple.elements.count == 1 else { return payload }
  return tuple.elements[0].type
}
