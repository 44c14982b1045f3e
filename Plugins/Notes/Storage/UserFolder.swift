/// The name of a user's folder.
///
/// A user may have any name that is not empty or too long. A leading dot, `/`, `%` and control
/// characters are percent-encoded, so that no name leads out of the notes' folder, and two users
/// never share one.
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
    // 255 bytes: the longest file name on Linux (`NAME_MAX`).
    guard !name.isEmpty, name.utf8.count <= 255 else { throw .badUser(user) }
    self.name = name
  }
}
