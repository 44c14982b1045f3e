internal import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// A version of an app to compare with another: a bundle, an archive of a bundle, or a manifest.
///
/// No code of a bundle is run; its plugins are described by the interface files in the bundle.
struct AppRelease {
  let path: String
  let report: ManifestReport
  /// The digests of the plugins' libraries, by the plugins' names.
  let digests: [String: String]
  /// `nil` for a manifest.
  private let bundle: BundleDescription?
  /// Keeps the folder of an unpacked archive.
  private let source: AppSource

  var isBundle: Bool { bundle != nil }
  /// The version of appcore that made the bundle; for a manifest, this one's.
  var appcore: String { bundle?.appcore ?? SDK.version }
  /// The processor architecture of a bundle; `nil` for a manifest.
  var architecture: String? { bundle?.architecture }

  /// The manifest to run, and the arguments by which its plugins are found.
  var program: (manifest: String, arguments: [String]) {
    (source.manifest, source.bundle.map { ["--plugin-path", $0 + AppSource.plugins] } ?? [])
  }

  var name: String { report.graph?.name ?? "" }

  /// The app's version; `nil` if the manifest has none.
  var version: String? { report.manifest?.version?.value }

  var title: String { [name, version].compactMap { $0 }.joined(separator: " ") }

  /// Reads a bundle's folder, an archive of a bundle, an app's folder or a manifest.
  ///
  /// - Throws: ``BundleError``, ``CommandError`` or ``AppLoadError``.
  init(_ path: String, options given: AppOptions) throws {
    self.path = path
    var options = given
    // Variables need no values, since the app is not run.
    options.allowsUnsetVariables = true
    source = try AppSource(path)
    if let root = source.bundle {
      (bundle, report, digests) = try Self.read(bundle: root, of: path, options)
      return
    }
    report = try ManifestReport(source.manifest, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    digests = report.plugins.members.compactMapValues(\.digest)
    bundle = nil
  }

  /// Reads the bundle in a folder, which messages call `bundle`, without running any of its code.
  ///
  /// - Throws: ``BundleError`` with the name of the damaged file, or ``AppLoadError``.
  private static func read(
    bundle root: String, of bundle: String, _ given: AppOptions
  ) throws -> (BundleDescription?, ManifestReport, digests: [String: String]) {
    let (description, file) = try BundleDescription.read(in: root, of: bundle)
    let folder = FilePath.folder(of: file)
    let manifest = folder + "/" + description.manifest
    func damaged(_ part: String, _ reason: String, details: [String] = []) -> BundleError {
      // Show paths from the bundle's folder: an archive is unpacked into a temporary folder.
      func shown(_ text: String) -> String { text.replacing(root + "/", with: "") }
      return BundleError(
        bundle, .bundleDamaged, "'\(shown(part))' \(shown(reason))", details: details.map(shown))
    }
    guard access(manifest, R_OK) == 0 else { throw damaged(manifest, "is missing") }
    func read(_ options: AppOptions) throws -> ManifestReport {
      let report = try ManifestReport(manifest, options: options)
      guard report.hasErrors else { return report }
      let lines = report.text.split(separator: "\n").map(String.init)
      throw damaged(manifest, "has errors", details: lines)
    }
    var options = given
    // A lock is for what is run, and allows no mocks.
    options.lockUse = .ignore
    options.leavesOutPlugins = true
    let alone = try read(options)
    options.leavesOutPlugins = false
    var digests: [String: String] = [:]
    for plugin in alone.manifest?.plugins ?? [] {
      guard case .name(let name) = plugin.reference else {
        throw damaged(manifest, "gives a plugin by its path, and not by its name")
      }
      let interface = "\(folder)/interfaces/\(name).json"
      let library = "\(root)/lib/appcore/plugins/lib\(name).so"
      for part in [interface, library] where access(part, R_OK) != 0 {
        throw damaged(part, "is missing")
      }
      let said: PluginInterface
      let linked: SharedObject
      do throws(InterfaceError) { said = try PluginInterface(file: interface) } catch {
        throw damaged(interface, "can't be read: \(error.cause.message)")
      }
      do throws(PluginError) { linked = try SharedObject(path: library) } catch {
        throw damaged(library, "can't be read: \(error.message)")
      }
      for (part, found) in [(interface, said.name), (library, linked.metadata.names.first ?? "")]
      where found != name {
        throw damaged(part, "is not that of the plugin '\(name)'")
      }
      digests[name] = PluginStamp.digest(of: linked.bytes)
      options.mocks[name] = interface
    }
    return (description, try read(options), digests)
  }
}

/// The parts of a manifest as texts, for comparing two versions of it.
struct ManifestText {
  /// The texts of parts by their names, by their subjects; what a manifest has only once has an empty
  /// name.
  private(set) var parts: [String: [String: String]] = [:]
  /// The subjects in the order in which they are printed.
  static let subjects = [
    "configuration", "node", "route", "link", "variable", "background", "requires", "session",
    "start", "title",
  ]
  /// The routes, each with its source nodes and actions as title, such as `from list, selected`.
  private(set) var routes: [(title: String, text: String)] = []
  /// When each plugin is loaded and which versions are accepted, by the plugins' names.
  private(set) var plugins: [String: [String]] = [:]
  /// The former names of each node, by its current name.
  private(set) var formerNames: [String: [String]] = [:]

  init(_ report: ManifestReport) {
    guard let manifest = report.manifest else { return }
    func text(_ range: SourceRange) -> String { Self.text(of: range, in: report.sources) }
    func add(_ subject: String, name: String = "", _ text: String?) {
      if parts[subject]?[name] == nil { parts[subject, default: [:]][name] = text }
    }
    for (plugin, name) in zip(manifest.plugins, report.plugins.names) {
      guard let name else { continue }
      add("configuration", name: name, plugin.with.map { text($0.range) })
      let version = plugin.version.map { "version: \(text($0.range))" }
      plugins[name] = [version, plugin.load.map { "load: \($0.value.rawValue)" }].compactMap(\.self)
    }
    for node in manifest.nodes {
      add("node", name: node.name.value, text(node.range))
      formerNames[node.name.value] = node.formerNames.map(\.value)
    }
    routes = manifest.routes.map { ($0.title, text($0.range)) }
    for link in manifest.links { add("link", name: link.path.text, text(link.range)) }
    for variable in manifest.variables {
      let texts = [variable.environment?.value, variable.value.map { text($0.range) }]
      add("variable", name: variable.name.value, texts.compactMap(\.self).joined(separator: " "))
    }
    let background = manifest.background.map { text($0.range) }.joined(separator: ", ")
    add("background", background.isEmpty ? nil : background)
    add("requires", manifest.requirement.map { text($0.range) })
    add("session", manifest.keeping?.value.rawValue)
    add("start", manifest.start?.name)
    add("title", manifest.title?.value)
  }

  /// A node's text without its former names, for comparing it with that of the node that it was.
  static func withoutFormerNames(_ node: String) -> String {
    node.replacing(#/\bwas: *(\[[^\]]*\]|[^\s,}]+) *,? */#, with: "")
      .replacing(#/,? *}/#, with: " }").replacing(#/{ */#, with: "{ ")
  }

  /// The text of a range on one line: as a value in braces or, if it can't be read alone, as it is
  /// written, without comments and with each run of whitespace as one space.
  private static func text(of range: SourceRange, in sources: SourceMap) -> String {
    guard sources.files.indices.contains(range.file) else { return "" }
    let source = sources.files[range.file]
    if let text = FlowText.of(range, in: source) { return text }
    let (start, end) = (source.byte(at: range.start), source.byte(at: range.end))
    guard start < end else { return "" }
    let lines = String(decoding: source.bytes[start..<end], as: UTF8.self).split(separator: "\n")
    return lines.map(withoutComment).joined(separator: " ")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A line without its comment: the part before a `#` that follows whitespace outside of quotes.
  ///
  /// Lines are scanned separately, so the result can be wrong if a quoted text spans several lines.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    var last: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open, open == "'" || last != "\\" { quote = nil }
      } else if (character == "\"" || character == "'") && !last.isLetter && !last.isNumber {
        quote = character
      } else if character == "#", last.isWhitespace {
        return line[..<index]
      }
      last = character
    }
    return line
  }
}
