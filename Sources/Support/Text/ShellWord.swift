/// A word as a shell reads it: quoted if it contains more than letters, digits and a few signs.
package func shellWord(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || "_-./+:@%,=".utf8.contains(byte)
  }
  if plain, !word.isEmpty { return word }
  return "'" + word.replacing("'", with: "'\\''") + "'"
}
