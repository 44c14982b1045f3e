// A shared value is encoded with its key or path and with the value itself. Its revision says which
// of several encoded forms is the latest: images of instances are written at different times.

private enum SharedField: String, CodingKey {
  case plugin, inMemory, file, setting, unnamed, value
  case revision = "edition"
}

extension Shared: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let isForPeople =
      CodingUserInfoKey.redaction.flatMap { encoder.userInfo[$0] as? Bool } ?? false
    guard !isForPeople else { return try wrappedValue.encode(to: encoder) }
    var container = encoder.container(keyedBy: SharedField.self)
    // A part has no name by which it could be found again, so it is encoded as a separate value.
    let whole = source as? SharedReference<Value>
    let id = whole?.id ?? .unnamed()
    switch id.place {
    case .memory(let key): try container.encode(key, forKey: .inMemory)
    case .file(let path): try container.encode(path, forKey: .file)
    case .setting(let key): try container.encode(key, forKey: .setting)
    case .unnamed(let name): try container.encode(name, forKey: .unnamed)
    }
    try container.encode(id.plugin, forKey: .plugin)
    try container.encode(wrappedValue, forKey: .value)
    // At least 1, so that it is later than a state's default.
    let revision = whole.flatMap { SharedView.expected?.revision(of: $0) ?? $0.revision }
    try container.encode((revision ?? 0) + 1, forKey: .revision)
  }
}

extension Shared: Decodable where Value: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SharedField.self)
    func text(_ field: SharedField) throws -> String? {
      try container.decodeIfPresent(String.self, forKey: field)
    }
    let places: [(field: SharedField, make: (String) -> SharedID.Place)] = [
      (.inMemory, SharedID.Place.memory), (.file, SharedID.Place.file),
      (.setting, SharedID.Place.setting), (.unnamed, SharedID.Place.unnamed),
    ]
    guard let place = try places.compactMap({ try text($0.field).map($0.make) }).first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "a shared value has one of the fields "
            + "'inMemory', 'file', 'setting' and 'unnamed'"))
    }
    self.init(
      SharedStorage.current.restored(
        SharedID(plugin: try text(.plugin) ?? "", place: place),
        try container.decode(Value.self, forKey: .value),
        revision: try container.decodeIfPresent(Int.self, forKey: .revision) ?? 1))
  }
}

extension SharedReader: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws { try shared.encode(to: encoder) }
}

extension SharedReader: Decodable where Value: Codable {
  public init(from decoder: any Decoder) throws { self.init(try Shared(from: decoder)) }
}
