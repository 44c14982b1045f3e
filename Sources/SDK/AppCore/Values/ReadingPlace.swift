/// A place of the tree that is read, and the decoder for what stands there.
final class ReadingPlace {
  let purpose: ValueEncoder.Purpose
  /// What stands here: a tree that an encoder wrote, or else a value.
  let node: CodingNode?
  let value: Value
  /// Where it stands: the path is made of these when an error needs one.
  private let parent: ReadingPlace?
  private let step: CodingStep?
  /// What is being decoded; `nil` in a nested container.
  let type: (any Decodable.Type)?

  init(_ purpose: ValueEncoder.Purpose, _ item: CodingItem) {
    self.purpose = purpose
    (node, value) = item.parts
    parent = nil
    step = nil
    type = nil
  }

  // The step is `nil` for what shares its parent's path.
  init(
    _ item: CodingItem, in parent: ReadingPlace, _ step: CodingStep?,
    as type: (any Decodable.Type)? = nil
  ) {
    purpose = parent.purpose
    (node, value) = item.parts
    self.parent = parent
    self.step = step
    self.type = type
  }

  var item: CodingItem { node.map(CodingItem.node) ?? .leaf(value) }

  /// Whether nothing stands here.
  var isNull: Bool {
    if node == nil, case .null = value { true } else { false }
  }

  /// The keys that lead here.
  var path: [any CodingKey] {
    var keys: [any CodingKey] = []
    var next: ReadingPlace? = self
    while let place = next {
      if let step = place.step { keys.append(step.key) }
      next = place.parent
    }
    return keys.reversed()
  }

  private func path(_ step: CodingStep?) -> [any CodingKey] {
    path + (step.map { [$0.key] } ?? [])
  }

  func mismatch(
    _ type: Any.Type, _ item: CodingItem, _ step: CodingStep? = nil
  ) -> DecodingError {
    .typeMismatch(
      type,
      .init(codingPath: path(step), debugDescription: "expected \(type), found \(item.kind)"))
  }

  /// What stands here as one of `type`.
  @inline(__always)
  func read<T: Decodable>(_ type: T.Type) throws -> T { try read(type, from: item, nil) }

  /// What stands in here, at a step or else just here, as one of `type`.
  @inline(__always)
  func read<T: Decodable>(
    _ type: T.Type, from item: CodingItem, _ step: @autoclosure () -> CodingStep?
  ) throws -> T {
    // Where the compiler knows the type, one of these is left.
    if T.self == String.self {
      if case .leaf(.string(let text)) = item { return retyped(text, as: type) }
    } else if T.self == Int.self {
      if case .leaf(.int(let number)) = item { return retyped(number, as: type) }
    } else if T.self == Bool.self {
      if case .leaf(.bool(let flag)) = item { return retyped(flag, as: type) }
    } else if T.self == Double.self {
      if case .leaf(.double(let number)) = item { return retyped(number, as: type) }
    } else if T.self == UInt8.self {
      if case .leaf(.int(let number)) = item, let exact = UInt8(exactly: number) {
        return retyped(exact, as: type)
      }
    } else if T.self == Int32.self {
      if case .leaf(.int(let number)) = item, let exact = Int32(exactly: number) {
        return retyped(exact, as: type)
      }
    } else if T.self == Int64.self {
      if case .leaf(.int(let number)) = item { return retyped(Int64(number), as: type) }
    } else if T.self == UInt64.self {
      if case .leaf(.int(let number)) = item, let exact = UInt64(exactly: number) {
        return retyped(exact, as: type)
      }
    } else if T.self == Value.self {
      return retyped(item.value, as: type)
    }
    return try readOther(type, from: item, step())
  }

  /// The same of what is converted, coded by its own type, or refused.
  private func readOther<T: Decodable>(
    _ type: T.Type, from item: CodingItem, _ step: CodingStep?
  ) throws -> T {
    if T.self == String.self || T.self == Bool.self {
      let item = item.resolved
      // It may have been written as the single value of something else.
      if T.self == String.self, case .leaf(.string(let text)) = item {
        return retyped(text, as: type)
      }
      if T.self == Bool.self, case .leaf(.bool(let flag)) = item { return retyped(flag, as: type) }
      throw mismatch(type, item, step)
    }
    if T.self == Double.self || T.self == Float.self {
      let number: Double
      let item = item.resolved
      switch item {
      case .leaf(.double(let double)): number = double
      case .leaf(.int(let integer)):
        if T.self == Float.self { return retyped(Float(integer), as: type) }
        number = Double(integer)
      case .leaf, .node: throw mismatch(type, item, step)
      }
      return T.self == Double.self ? retyped(number, as: type) : retyped(Float(number), as: type)
    }
    if CodedTypes.kind(of: type) == .integer { return try readInteger(type, from: item, step) }
    return try type.init(from: ReadingPlace(item, in: self, step, as: type))
  }

  // Apart, because an optional of a type that is not known costs whoever has one in his frame.
  @inline(never)
  private func readInteger<T: Decodable>(
    _ type: T.Type, from item: CodingItem, _ step: CodingStep?
  ) throws -> T {
    let item = item.resolved
    guard let integer = type as? any FixedWidthInteger.Type, case .leaf(.int(let number)) = item
    else { throw mismatch(type, item, step) }
    guard let exact = exactly(integer, number) as? T else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path(step), debugDescription: "\(number) does not fit \(type)"))
    }
    return exact
  }

  private func exactly<I: FixedWidthInteger>(_ type: I.Type, _ number: Int) -> I? {
    I(exactly: number)
      ?? (purpose.isTakingOver && I.bitWidth == 64 ? I(truncatingIfNeeded: number) : nil)
  }
}
