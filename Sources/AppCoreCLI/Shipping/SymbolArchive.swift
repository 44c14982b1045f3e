internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// An archive with the debug information of a bundle's files, by their build IDs.
///
/// The names are those that debuggers and debuginfod expect: `.build-id/xx/yyyy.debug`.
struct SymbolArchive {
  static let tools = ["objcopy", "tar", "gzip"]
  private static let folder = ".build-id"

  private let work: WorkFolder
  private let root: String

  init(in work: WorkFolder) throws(BundleError) {
    self.work = work
    root = try work.folder(Self.folder)
  }

  /// The path of a build's debug information in the archive.
  static func path(of buildID: String) -> String {
    "\(folder)/\(buildID.prefix(2))/\(buildID.dropFirst(2)).debug"
  }

  /// Adds what stripping takes away from a file; nothing if the file has no build ID.
  func add(_ bytes: [UInt8], path file: String) throws(BundleError) {
    let object = try? SharedObject(bytes, path: file)
    guard let buildID = object?.metadata.buildIDText, buildID.count > 2 else { return }
    let whole = try work.write(bytes, "whole")
    defer { unlink(whole) }
    let path = Self.path(of: buildID)
    mkdir("\(work.path)/\(FilePath.folder(of: path))", 0o755)
    _ = try work.run("objcopy", ["--only-keep-debug", "whole", path], for: file)
  }

  /// The archive of what was added.
  func bytes(for target: String, time: Int) throws(BundleError) -> [UInt8] {
    try BundleError.read(work.archive(Self.folder, as: "symbols", time: time, for: target))
  }
}

/// Finds the lines of sources for addresses, in an archive with debug information.
struct Symbolizer {
  private let archive: String
  private let members: [TarReader.Member]
  private let work: WorkFolder
  private static let program = "llvm-symbolizer"

  /// Reads an archive.
  ///
  /// - Throws: ``CommandError`` if it can't be read, ``BundleError`` if it is damaged or there is no
  ///   `llvm-symbolizer`.
  init(_ archive: String) throws {
    self.archive = archive
    _ = try WorkFolder.find(Self.program)
    work = try WorkFolder()
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.read(archive, limit: TarReader.sizeLimit)
    } catch {
      throw CommandError("can't read '\(archive)': \(error)", exitStatus: 66)
    }
    members = try TarReader(
      try work.decompress(bytes, name: archive, for: archive), archive: archive
    ).members
  }

  /// The lines of the sources for addresses in a build, each with its function; the innermost of
  /// inlined ones first.
  ///
  /// - Throws: ``CommandError`` if the archive does not have the build.
  func sources(
    of addresses: [String], in buildID: String, of plugin: String
  ) throws -> [String: [String]] {
    let name = SymbolArchive.path(of: buildID)
    guard case .file(let bytes, _)? = members.first(where: { $0.path == name })?.kind else {
      throw CommandError(
        "'\(archive)' has no symbols of plugin '\(plugin)' in build \(buildID)", exitStatus: 65)
    }
    let file = try work.write(bytes, "symbols.debug")
    var found: [String: [String]] = [:]
    // A report of another device may have anything in the place of an address.
    for address in addresses where address.wholeMatch(of: #/0x[0-9a-f]{1,16}/#) != nil {
      // A pair of lines for each function: its name, and the place.
      let lines = try work.run(
        Self.program, ["--obj=" + file, address], for: archive, separatesErrors: true
      ).split(separator: "\n").map(String.init)
      found[address] = stride(from: 0, to: lines.count - 1, by: 2).compactMap { index in
        let (function, place) = (lines[index], lines[index + 1])
        // Neither what is unknown nor what the compiler has made has a line.
        guard !place.hasPrefix("?"), !place.hasPrefix("/<") else { return nil }
        return "\(place) \(Demangler.readable(function))"
      }
    }
    return found
  }
}
