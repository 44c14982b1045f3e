@_spi(Host) internal import AppCore
internal import Dispatch
internal import Glibc
internal import PluginHost
internal import Support

/// Opens URLs with the desktop's `xdg-open`, whose standard streams are `/dev/null`.
enum DesktopURLs {
  /// How long to wait for a failure, in units of 10 ms; a program that runs longer has succeeded.
  private static let timeout = 100

  static func open(_ url: String) async throws(OpenURLError) {
    guard isURL(url) else { throw OpenURLError(url: url, reason: "it has no scheme, as 'https:'") }
    let failure = await withCheckedContinuation { continuation in
      // A queue of its own, because waiting for a process blocks.
      DispatchQueue(label: "appcore-xdg-open").async {
        run(url) { continuation.resume(returning: $0) }
      }
    }
    if let failure { throw OpenURLError(url: url, reason: failure) }
  }

  /// Whether `text` begins with a scheme, so that `xdg-open` takes it for neither an option nor a
  /// file.
  static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII,
      first.isLetter, !text.utf8.contains(0)
    else { return false }
    return text[..<colon].allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
    }
  }

  /// Runs the program to its end; `finish` is called with the failure as soon as it is known, or
  /// with `nil`.
  private static func run(_ url: String, _ finish: (String?) -> Void) {
    let environment = ProcessVariables.all
    guard let program = Spawn.find("xdg-open", environment: environment) else {
      return finish("there is no program 'xdg-open'; install 'xdg-utils'")
    }
    let process: pid_t
    do throws(SystemError) {
      let null = try OpenFile.null()
      process = try Spawn.start(
        program, [url], environment: environment, descriptors: [null, null])
    } catch {
      return finish("'xdg-open' can't be started: \(error)")
    }
    var result: Int32 = 0
    for _ in 0..<timeout {
      let ended = Descriptor.uninterrupted { waitpid(process, &result, WNOHANG) }
      guard ended == 0 else {
        guard ended > 0, result != 0 else { return finish(nil) }
        let signal = result & 0x7f
        return finish(
          signal == 0
            ? "'xdg-open' ended with status \(result >> 8 & 0xff)"
            : "'xdg-open' was ended by signal \(signal)")
      }
      usleep(10_000)
    }
    finish(nil)
    _ = Descriptor.uninterrupted { waitpid(process, &result, 0) }
  }
}
