/// The name of a user's folder.
///
/// Any name can be a user's: what would leave the notes' folder, or be no name of a file, is
/// percent-encoded, so that two users never share one folder.
struct UserFolder: Hashable, Sendable {
  let name: String

  init(user: String) throws(NoteError) {
    var name = ""
    for (index, scalar) in user.unicodeScalars.enumerated() {
      let isHidden = index == 0 && scalar == "."
      if isHidden || scalar == "/" || scalar == "%" || scalar.value < 0x20 || scalar.value == 0x7f {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        name += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        name.unicodeScalars.append(scalar)
      }
    }
    // As much as the name of a file may have.
    guard !name.isEmpty, name.utf8.count <= 255 else { throw .badUser(user) }
    self.name = name
  }
}
