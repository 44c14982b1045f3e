/// Why a plugin can't be had: the stage of its life, the path, the cause; see `message`.
///
/// The cases hold data; the words are in one place, `PluginProblem+Wording.swift`.
public struct PluginProblem: Error, Hashable, Sendable {
  /// A stage of a plugin's life at which it can be refused, in the order of that life.
  public enum Stage: String, CaseIterable, Hashable, Sendable {
    case found, built, read, validated, scanned, loaded, registered
  }

  /// A path that was tried, and the system's error number.
  public struct Attempt: Hashable, Sendable {
    public let path: String
    public let error: Int32

    public init(path: String, error: Int32) {
      self.path = path
      self.error = error
    }
  }

  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    // MARK: Found

    /// The name can't be a plugin's, or the path can't be a file's.
    case invalidName(String)
    /// No file of that name on the search path, or nothing at the path when `name` is `nil`.
    case notFound(name: String?, tried: [Attempt])

    // MARK: Built

    /// The folder of sources could not be made a library.
    case notBuilt(BuildFailure)

    // MARK: Read

    /// The path leads to something else than a file.
    case notAFile(FileKind)
    /// The path is a link to nothing.
    case danglingLink(target: String)
    /// The path is a link that leads back to itself.
    case linkLoop
    /// The system refuses to open or read the file.
    case unreadable(error: Int32)
    /// Other users can change the file at `path`, or what stands in the folder there.
    case writable(path: String, FileTrust.Weakness)
    /// The file has no bytes.
    case empty
    /// The file is larger than any plugin should be; sizes in bytes.
    case tooLarge(size: UInt64, limit: UInt64)
    /// The file changed while it was read: a build is probably writing it.
    case changedWhileRead
    /// The file is no shared object for this machine, or a damaged one.
    case notALibrary(ELFProblem)

    /// The file has a digest of the bytes that it was built with, and has other bytes.
    case notAsBuilt

    // MARK: Validated

    /// The library exports no function `appcore_plugin_<Name>`.
    case noEntry
    /// The library exports several functions `appcore_plugin_<Name>`.
    case severalEntries([String])
    /// The plugin's name in its entry is not the name by which it was asked for.
    case otherName(String, expected: String)
    /// The library does not say which SDK it was built against.
    case noContract
    /// The library holds an SDK of its own instead of using the host's.
    case ownSDK
    /// The library was built against another SDK.
    case contractMismatch(plugin: Contract, host: Contract)
    /// The library needs symbols of the SDK that this host lacks; mangled.
    case missingSDKSymbols([String])
    /// The library is linked to another plugin's.
    case needsPlugin(name: String, library: String)
    /// The plugin brings along a library that differs from the one loaded under the same name.
    case otherDependency(library: String, loaded: String)
    /// A library that the plugin needs is no shared object for this machine, or a damaged one.
    case brokenDependency(library: String, ELFProblem)
    /// A library that the plugin needs can't be read.
    case unreadableDependency(library: String, path: String, reason: String)
    /// A library that the plugin needs does not bear the name by which it is needed, and is not beside
    /// the plugin: the loader would take what is at its path then, and not the copy.
    case unnamedLibrary(library: String, path: String)
    /// Nobody can say beforehand where an element of the search path leads.
    case searchPath(element: String, SearchWeakness)
    /// The loader would load another library in the place of the plugin, or of one that it needs.
    case filter(of: String)

    // MARK: Scanned

    /// The scanning process could not be started.
    case scanNotStarted(executable: String, error: Int32)
    /// The scanning process is not one, or one of another version; no plugin had a part in it.
    case scannerUnfit(executable: String, reason: String, errorTail: String)
    /// A signal ended the scanning process while it was at the plugin.
    case scanSignal(Int32, ScanStep, errorTail: String)
    /// The plugin ended the scanning process with a status.
    case scanStatus(Int32, ScanStep, errorTail: String)
    /// The scanning process was stopped: the plugin took longer than its time.
    case scanTimeout(Duration, ScanStep, errorTail: String)
    /// The scanning process was stopped: the plugin wrote too much; the limit in bytes.
    case scanFlood(limit: Int, ScanStep, errorTail: String)
    /// The plugin took so much memory that it may have been refused more; both in bytes.
    case scanMemory(UInt64, limit: UInt64, ScanStep, errorTail: String)
    /// What the scanning process sent can't be understood.
    case scanOutput(String)

    // MARK: Loaded

    /// No private copy of the file could be made.
    case notCopied(folder: String, error: Int32)
    /// Code can't be run from the folder of the private copy.
    case notExecutable(folder: String)
    /// The loader does not find a library that the plugin needs.
    case libraryNotFound(String)
    /// Nothing defines symbols that the plugin needs; mangled.
    case undefinedSymbols([String])
    /// The loader refuses, in its own words.
    case loader(String)
    /// The loader does not find the entry that the file has.
    case entryNotLoaded(String)

    /// The process has nearly as many mappings of memory as the system allows.
    case tooManyMappings(Int, limit: Int)
    /// The loader has mapped a file that was not validated and that other users can change.
    case mappedOther(path: String)

    // MARK: Registered

    /// The plugin's own description of itself is refused, in the words of the host.
    case registration(String)
    /// Another file of the manifest's is this plugin already.
    case duplicate(name: String, other: String)
    /// The plugin says something else of itself than it said when it was scanned.
    case otherThanScanned
    /// The file is not the one any more that the manifest was checked with.
    case changedSinceChecked
  }

  /// Where in the plugin's life it was refused.
  public let stage: Stage
  /// The file, or the name where no file was found.
  public let path: String
  /// What is wrong.
  public let cause: Cause

  /// Makes a problem.
  public init(_ stage: Stage, path: String, _ cause: Cause) {
    self.stage = stage
    self.path = path
    self.cause = cause
  }
}
