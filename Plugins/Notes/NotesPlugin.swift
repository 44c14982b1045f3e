internal import AppCore

/// Notes in text files: a list of them, and an editor for one.
struct NotesPlugin: Plugin {
  struct Configuration: Codable, Sendable, Defaulted {
    /// The folder of the notes; a leading `~/` is the home folder.
    var folder = "~/.local/share/appcore/notes"
    /// The delay of the autosave after the last change, in seconds.
    var saveAfter = 1.0
  }

  /// Why a configuration can't be used.
  struct Misconfiguration: Error, CustomStringConvertible {
    let saveAfter: Double
    var description: String {
      "'saveAfter' is \(saveAfter); it is a number of seconds from 0 to 3600"
    }
  }

  static let name = "Notes"
  static let version = "1.0.0"

  let folder: NoteFolder
  let saveAfter: Duration

  init(configuration: Configuration) throws(Misconfiguration) {
    guard (0...3600).contains(configuration.saveAfter) else {
      throw Misconfiguration(saveAfter: configuration.saveAfter)
    }
    folder = NoteFolder(path: configuration.folder)
    saveAfter = .seconds(configuration.saveAfter)
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(List.self) { List(folder: $0.folder) }
    registry.feature(Editor.self) { Editor(folder: $0.folder, saveAfter: $0.saveAfter) }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_Notes)
public func notesPlugin() -> UnsafeMutableRawPointer { export(NotesPlugin.self) }
