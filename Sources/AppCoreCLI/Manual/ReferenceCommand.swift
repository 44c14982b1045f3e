internal import ArgumentParser
internal import Glibc
internal import Support

/// `appcore __reference`: writes the SDK's API reference from symbol graphs.
///
/// `make reference` calls it.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__reference", abstract: "Write the SDK's reference to a folder.",
    shouldDisplay: false)

  @Argument var folder: String

  @Argument var graphs: [String]

  func run() throws {
    let texts = try graphs.map { path in
      do throws(SystemError) {
        return String(decoding: try WholeFile.read(path), as: UTF8.self)
      } catch {
        Console.printError("appcore: can't read '\(path)': \(error)")
        throw ExitCode(error.code == ENOENT ? 66 : 74)
      }
    }
    for page in try ReferencePages(graphs: texts).pages {
      mkdir(FilePath.folder(of: folder + "/" + page.path), 0o777)
      try write(page.text, to: folder + "/" + page.path)
    }
  }
}
