@_spi(Host) internal import AppCore
package import Manifest
@_spi(Host) internal import Navigation
package import PluginHost
internal import Support

/// The plugins of one manifest: found, validated and scanned, or without a scanner loaded.
package struct PluginSet: Sendable {
  /// The name of each of the manifest's plugins, in its order; `nil` if it is not known.
  ///
  /// A file that is refused because its plugin is listed already is named by its path.
  package private(set) var names: [String?] = []
  package private(set) var members: [String: AppPlugin] = [:]
  package private(set) var problems: [String: PluginError] = [:]
  /// For each of the manifest's plugins, in its order, the paths at which its file is searched.
  private(set) var candidates: [[String]] = []
  /// Warnings about other builds of the plugins, if these are compared.
  private(set) var buildProblems: [Diagnostic] = []
  /// Warnings about plugins that are not in the lock.
  private(set) var lockProblems: [Diagnostic] = []
  /// Whether no plugin was scanned, because the lock refuses one of them.
  private(set) var isBlockedByLock = false

  init() {}

  /// Gets the manifest's plugins; those that are linked into this process win over files.
  init(_ manifest: Manifest, path: String, options: AppOptions) {
    let linked = options.linkedPlugins.keyed(by: \.name)
    let locator = options.locator(manifestFolder: FilePath.folder(of: path))
    let resolver = PluginResolver(locator: locator, options: options)
    let resolution = resolver.resolve(
      manifest.plugins.map { plugin in
        let name = plugin.suggestedName
        if let file = options.mocks[name] {
          return .given(
            name, Result { () throws(PluginError) in try Self.mock(of: name, in: file, options) })
        }
        if let linked = linked[name] { return .given(name, .success(AppPlugin(linked))) }
        return PluginResolver.Request(plugin.reference)
      })
    isBlockedByLock = resolution.isBlockedByLock
    for (index, plugin) in manifest.plugins.enumerated() {
      if !isBlockedByLock, let warning = resolution.lockWarnings[index] {
        lockProblems.append(Diagnostic(warning, at: plugin.range))
      }
      do throws(PluginError) {
        var member = try resolution.plugins[index].get()
        // A path may lead to a plugin of another name than the path suggests.
        if member.mockFile == nil, let file = options.mocks[member.info.name] {
          member = try Self.mock(of: member.info.name, in: file, options)
        }
        try take(member, plugin, ignoresVersion: options.ignoresVersions)
      } catch {
        refuse(plugin, error)
      }
    }
    candidates = manifest.plugins.map { plugin in
      switch plugin.reference {
      case .name(let name): locator.candidates(for: name)
      case .path(let path, _): [path]
      }
    }
    if options.comparesBuilds { buildProblems = otherBuilds(of: manifest, resolver) }
  }

  /// The manifest's plugins as a lock has them, by name, without running any of their code.
  ///
  /// - Returns: the plugins without their versions, and whether all could be read.
  static func builds(
    of manifest: Manifest, path: String, options: AppOptions
  ) -> (plugins: [String: AppLock.Plugin], isWhole: Bool) {
    let resolver = PluginResolver(
      locator: options.locator(manifestFolder: FilePath.folder(of: path)), options: options)
    let linked = Set(options.linkedPlugins.map(\.name))
    var plugins: [String: AppLock.Plugin] = [:]
    var isWhole = true
    for plugin in manifest.plugins where !linked.contains(plugin.suggestedName) {
      do throws(PluginError) {
        var found = try resolver.build(of: .init(plugin.reference))
        found.plugin.path = plugin.reference.path(from: path)
        plugins[found.name] = found.plugin
      } catch {
        isWhole = false
      }
    }
    return (plugins, isWhole)
  }

  /// A mock of the plugin whose interface is in a file.
  private static func mock(
    of name: String, in file: String, _ options: AppOptions
  ) throws(PluginError) -> AppPlugin {
    do throws(Rejection) { try options.lockEnforcement?.checkMock() } catch {
      throw PluginError(.validated, path: file, error)
    }
    do throws(InterfaceError) {
      let interface = try PluginInterface(file: file)
      guard interface.name == name else {
        throw InterfaceError(
          path: file,
          cause: Rejection(
            .interfaceOfOther,
            "it is the interface of '\(interface.name)', and is to stand in for '\(name)'"))
      }
      return AppPlugin(mock: interface, file: file)
    } catch {
      throw PluginError(.read, path: error.path, error.cause)
    }
  }

  /// The paths at which the files of rejected plugins are searched.
  package var rejectedPaths: [String] {
    zip(names, candidates).flatMap { name, paths in
      name.map { problems[$0] != nil } ?? false ? paths : []
    }
  }

  private mutating func refuse(_ plugin: Manifest.Plugin, _ error: PluginError) {
    if isBlockedByLock, error.cause == LockEnforcement.blocked {
      names.append(nil)
      return
    }
    // The name may be taken by the problem of an earlier plugin.
    let name = plugin.suggestedName
    let key = problems[name] == nil && members[name] == nil ? name : plugin.reference.description
    names.append(key)
    problems[key] = error
  }

  private mutating func take(
    _ member: AppPlugin, _ plugin: Manifest.Plugin, ignoresVersion: Bool
  ) throws(PluginError) {
    let name = member.info.name
    if !ignoresVersion, let requirement = plugin.version?.value,
      requirement.allows(member.info.version) != true
    {
      throw PluginError(
        .registered, path: member.mockFile ?? member.path ?? name,
        .registration(
          "it is version '\(member.info.version)', and the manifest asks for '\(requirement.text)'",
          remedy: "use a version of '\(name)' that '\(requirement.text)' allows, or correct "
            + "`version` in the manifest"))
    }
    if let other = members[name] {
      throw PluginError(
        .registered, path: member.path ?? name,
        Rejection(
          .pluginDuplicate,
          "this is the plugin '\(name)', and "
            + "'\(other.mockFile ?? other.path ?? "\(name) of this program")' is that already"))
    }
    members[name] = member
    names.append(name)
  }

  /// Replaces a plugin with another build of it.
  mutating func replace(_ member: AppPlugin) { members[member.info.name] = member }

  /// Moves plugins to the problems: their code could not be loaded.
  mutating func refuse(_ refused: [String: PluginError]) {
    for (name, problem) in refused {
      members[name] = nil
      problems[name] = problem
    }
  }

  /// The catalog that the manifest is checked against.
  var catalog: FeatureCatalog {
    members.mapValues { member in
      PluginDescription.available(
        configuration: member.info.configuration, features: member.info.features)
    }.merging(problems.mapValues { .unavailable(cause: $0.summary) }) { $1 }
  }

}

extension Manifest.Plugin {
  /// The plugin's name as the manifest has it, or as its path suggests: `Devices` for
  /// `../lib/libDevices.so`.
  package var suggestedName: String {
    switch reference {
    case .name(let name): return name
    case .path(let path, let written):
      if let name = PluginFolder.name(at: path) { return name }
      let file = FilePath.name(of: written)
      guard file.hasPrefix("lib"), file.hasSuffix(".so") else { return file }
      return String(file.dropFirst(3).dropLast(3))
    }
  }
}

// Other builds on the search path: on another machine, or later, one of them may be found first, and
// it should not have another interface under the same version.
extension PluginSet {
  /// Warns if another build of a plugin has the same version and another interface.
  ///
  /// Compares the files that a search would find without the one that is used, and for a mock the
  /// plugin's file; files that can't be loaded are skipped.
  ///
  /// - Complexity: a scan of each file that was not scanned before.
  private func otherBuilds(of manifest: Manifest, _ resolver: PluginResolver) -> [Diagnostic] {
    var others: [(plugin: Manifest.Plugin, used: AppPlugin, path: String)] = []
    for (index, plugin) in manifest.plugins.enumerated() {
      guard let used = names[index].flatMap({ members[$0] }) else { continue }
      var seen = Set([used.path.flatMap(FilePath.resolved)])
      let found = candidates[index].filter { path in
        path.hasSuffix(".so") && FilePath.resolved(path).map { seen.insert($0).inserted } ?? false
      }
      others += found.prefix(Self.otherLimit).map { (plugin, used, $0) }
    }
    let found = resolver.resolve(others.map { .path($0.path) }).plugins
    var reported: Set<String> = []
    return zip(others, found).compactMap { other, found in
      guard let build = try? found.get(), build.info.name == other.used.info.name,
        build.info.version == other.used.info.version
      else { return nil }
      let interface = PluginInterface(other.used.info)
      let differences = PluginInterface(build.info).differences(from: interface)
      guard let first = differences.first, reported.insert(build.info.name).inserted else {
        return nil
      }
      let change = Wording.printable(", in which \(first.subject) \(first.change)")
      return Diagnostic(
        .buildsDiffer, at: other.plugin.range,
        "\(quote(other.path)) is version \(Wording.printable(interface.version)) of "
          + "\(quote(interface.name)) too, and has another interface\(change)"
          + (differences.count > 1 ? "; and \(differences.count - 1) more" : ""))
    }
  }

  /// The most files of one plugin that are compared; search paths have fewer folders.
  private static let otherLimit = 8
}

extension PluginError {
  /// The problem in one line, for a message that has a position of its own.
  ///
  /// A compiler's message contains the path already.
  package var summary: String {
    if cause.rule == .pluginNotCompiled { return message }
    return stage == .found ? message : "\(path): \(message)"
  }
}
