@_spi(Host) internal import AppCore
internal import PluginHost

// The binary format in which a scan sends a plugin's description, and in which the cache keeps it.
extension PluginInfo {
  /// The version of the format; change it with the fields, so that old caches are not read.
  package static let form = "4"

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.string(name)
    writer.string(version)
    writer.schema(configuration)
    writer.list(features) { writer, feature in
      writer.string(feature.name)
      writer.schema(feature.arguments)
      writer.list(feature.delegates) { $0.enumCase($1) }
      writer.list(feature.inputs) { $0.enumCase($1) }
      writer.optional(feature.defect) { $0.string($1) }
    }
    return writer.bytes
  }

  /// Decodes ``bytes``; `nil` if they are not in this format.
  package init?(bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let name = reader.string(), let version = reader.string(),
      let configuration = reader.schema(),
      let features = reader.list({ reader -> FeatureInfo? in
        guard let name = reader.string(), let arguments = reader.schema(),
          let delegates = reader.list({ $0.enumCase() }),
          let inputs = reader.list({ $0.enumCase() }),
          let defect = reader.optional({ $0.string() })
        else { return nil }
        return FeatureInfo(
          name: name, arguments: arguments, delegates: delegates, inputs: inputs, defect: defect)
      }), reader.isAtEnd
    else { return nil }
    self.init(name: name, version: version, configuration: configuration, features: features)
  }
}
