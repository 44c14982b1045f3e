import Glibc

// Arguments: the compiler, the file to write, the SDK's sources in a fixed order.

func fail(_ message: String) -> Never {
  let line = "error: \(message)\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(1)
}

func read(_ stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, stream)
    if count == 0 { return bytes }
    bytes.append(contentsOf: chunk[..<count])
  }
}

/// The release in `swiftc --version`'s first line, such as `6.3.1`.
func compilerVersion(_ compiler: String) -> String? {
  guard let pipe = popen("'\(compiler)' --version 2>/dev/null", "r") else { return nil }
  let text = String(decoding: read(pipe), as: UTF8.self)
  pclose(pipe)
  let words = text.split(whereSeparator: \.isWhitespace)
  guard let index = words.firstIndex(of: "version"), words.indices.contains(index + 1) else {
    return nil
  }
  return String(words[index + 1])
}

let arguments = CommandLine.arguments
guard arguments.count > 3 else { fail("usage: ContractTool COMPILER OUTPUT SOURCE…") }
guard let compiler = compilerVersion(arguments[1]) else {
  fail("no version in the output of '\(arguments[1]) --version'")
}

var digest = Digest()
var sdkVersion: String?
digest.update(compiler.utf8)
for path in arguments[3...] {
  guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
  let source = read(file)
  fclose(file)
  digest.update(significantBytes(of: source))
  for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
    if let range = line.firstRange(of: "static let version = \""), path.hasSuffix("/SDK.swift") {
      sdkVersion = String(line[range.upperBound...].prefix { $0 != "\"" })
    }
  }
}
guard let sdkVersion else { fail("SDK.swift declares no version") }

func symbolPart(_ version: String) -> String {
  String(version.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}

let symbol =
  "appcore_contract_sdk_\(symbolPart(sdkVersion))_swift_\(symbolPart(compiler))_\(digest.text)"
let text = """
  /// The symbol that names this build of the SDK; see ``SDK/Contract``.
  ///
  /// It must not be inlined: a release build would lose the reference that plugins carry.
  @c(\(symbol))
  @inline(never)
  public func appcoreContractSymbol() -> Int32 { 1 }

  extension SDK {
    /// The contract of this build, as its symbol names it.
    public static let contractSymbol = "\(symbol)"
    /// The release of the compiler that made this build, such as `6.3.1`.
    public static let compilerVersion = "\(compiler)"
  }

  """
guard let output = fopen(arguments[2], "w") else { fail("cannot write \(arguments[2])") }
guard fputs(text, output) >= 0, fclose(output) == 0 else { fail("cannot write \(arguments[2])") }
