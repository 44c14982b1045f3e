extension String {
  /// Fills a template, one of the program's resources: `{{name}}` stands for the value of that name.
  init(_ template: [UInt8], _ values: [String: String] = [:]) {
    let parts = String(decoding: template, as: UTF8.self)
      .split(separator: "{{", omittingEmptySubsequences: false)
    self = parts.dropFirst().reduce(String(parts[0])) { text, part in
      let halves = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      return text + (values[String(halves[0])] ?? "") + halves[1]
    }
  }
}
