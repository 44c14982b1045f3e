internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// Compresses with `gzip`, and decompresses with `gzip`, `xz` or `zstd`, as child processes.
struct Compression {
  /// A folder for temporary files.
  let folder: String
  let environment: [String: String]

  /// Compresses bytes with `gzip`, without a time or a file name in the output.
  func compress(_ bytes: [UInt8], for archive: String) throws(BundleError) -> [UInt8] {
    try run("gzip", "exec gzip -n -9 -c -- \"$1\" >\"$2\"", bytes, archive) {
      BundleError(archive, .bundleTool, "'gzip' can't compress it: \($0)")
    }
  }

  /// Decompresses bytes, up to ``TarReader/sizeLimit`` of them.
  ///
  /// - Parameters:
  ///   - bytes: the compressed bytes.
  ///   - name: the file's name; its extension names the format.
  ///   - archive: the name of the archive in messages.
  /// - Returns: the decompressed bytes; `bytes` itself if the extension is `tar`.
  /// - Throws: ``BundleError`` if the format is unknown, the program is missing or fails, or the
  ///   result is too large.
  func decompress(
    _ bytes: [UInt8], name: String, for archive: String
  ) throws(BundleError) -> [UInt8] {
    let ending = name.split(separator: ".").last ?? ""
    let tools = ["gz": "gzip", "tgz": "gzip", "xz": "xz", "zst": "zstd"]
    guard let tool = tools[String(ending)] else {
      if ending == "tar" { return bytes }
      throw BundleError(archive, .archiveDamaged, "'\(name)' is compressed in an unknown way")
    }
    // `ulimit -f` counts in units of 512 bytes; a program that writes more gets SIGXFSZ.
    let limit = TarReader.sizeLimit / 512
    return try run(
      tool, "ulimit -f \(limit); exec \(tool) -dc <\"$1\" >\"$2\"", bytes, archive
    ) { BundleError(archive, .archiveDamaged, "'\(tool)' can't unpack it: \($0)") }
  }

  // Runs a command of a tool from one temporary file to another; `failure` makes the error from what
  // the tool printed.
  private func run(
    _ tool: String, _ command: String, _ bytes: [UInt8], _ archive: String,
    failure: (String) -> BundleError
  ) throws(BundleError) -> [UInt8] {
    guard ToolProcess.find(tool, environment: environment) != nil else {
      throw BundleError(archive, .bundleTool, "there is no '\(tool)' on the PATH")
    }
    let (input, output) = (folder + "/in", folder + "/out")
    defer {
      unlink(input)
      unlink(output)
    }
    unlink(input)
    try BundleError.reporting(input) { () throws(SystemError) in
      try BundleTree.write(BundleFile(path: "", bytes: bytes, part: .app), to: input, time: 0)
    }
    let process = ToolProcess(
      executable: "/bin/sh", arguments: ["-c", command, "sh", input, output],
      environment: environment.filter { !["GZIP", "XZ_OPT", "XZ_DEFAULTS"].contains($0.key) })
    let (end, printed) = process.run()
    switch end {
    case .status(0):
      return try BundleError.reporting(output) { () throws(SystemError) in
        try WholeFile.read(output)
      }
    case .signal(SIGXFSZ), .status(128 + SIGXFSZ):
      throw BundleError(
        archive, .archiveTooLarge, "it has more than \(TarReader.sizeLimit >> 20) MiB unpacked")
    default: throw failure(printed.split(separator: "\n").last.map(String.init) ?? end.words)
    }
  }
}
