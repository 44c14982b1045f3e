internal import Glibc

/// Runs when the file is loaded, before anything is asked of the plugin, and does what
/// `APPCORE_MOCK_FAULT` says: nothing unless it is set.
@used @section(".init_array")
let initializer: @convention(c) () -> Void = { fault(in: "load") }

/// Does what the variable says for a step, such as `load:abort`.
func fault(in step: String) {
  guard let variable = getenv("APPCORE_MOCK_FAULT") else { return }
  let parts = String(cString: variable).split(separator: ":")
  guard parts.count == 2, parts[0] == step else { return }
  switch parts[1] {
  case "abort":
    let words: StaticString = "the licence is not found\n"
    _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    abort()
  case "exit": exit(3)
  case "hang": while true { pause() }
  case "spin": while true {}
  case "flood": while true { puts("again and again") }
  case "hog":
    while true {
      guard let memory = malloc(1 << 24) else { abort() }
      memset(memory, 1, 1 << 24)
    }
  case "overflow": print(overflow(1))
  default: break
  }
}

/// Calls itself until the stack is used up.
@inline(never)
private func overflow(_ depth: Int) -> Int { depth == 0 ? 0 : overflow(depth &+ 1) &+ 1 }
