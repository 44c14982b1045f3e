internal import Support

extension ManifestReport {
  /// The paths of the manifest and its includes, as far as they could be read, and of the lock and
  /// its signature.
  package var filePaths: [String] {
    let read = sources.files.map(\.path)
    return read + lockPaths.filter { !read.contains($0) }
  }

  /// These, and the candidate paths of rejected plugins: a change to any may fix the manifest.
  package var sourcePaths: [String] { filePaths + plugins.rejectedPaths }

  /// The contents of the files that were read, by path.
  package var fileContents: [String: [UInt8]] {
    Dictionary(
      sources.files.map { ($0.path, Array($0.bytes)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The first error in one line, with how many more there are.
  package var firstError: String {
    let errors = problems.filter { $0.severity == .error }
    guard let first = errors.first else { return "" }
    let more = errors.count > 1 ? "; and \(errors.count - 1) more" : ""
    return SafeText.line("\(sources.description(of: first.range)): \(first.message)")
      + " [\(first.code)]" + more
  }
}
