internal import AppCoreCLI

/// The program `appcore`.
@main
enum Program {
  static func main() { runCommandLine() }
}
