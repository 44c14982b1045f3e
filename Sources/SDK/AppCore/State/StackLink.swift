/// One element's place on a stack: a list that begins at the top and shares its end with every copy
/// of the stack.
///
/// Whoever keeps the top of a stack can tell later which elements have gone since, without a copy of
/// the identifiers: two lists are the same from where they meet.
@usableFromInline
final class StackLink: @unchecked Sendable {
  // Unchecked: `under` is written in `deinit` only.
  @usableFromInline let id: StackElementID
  /// How many elements there are from the bottom up to this one.
  @usableFromInline let height: Int
  @exclusivity(unchecked) @usableFromInline var under: StackLink?

  @usableFromInline
  init(_ id: StackElementID, on under: StackLink?) {
    self.id = id
    self.under = under
    height = (under?.height ?? 0) + 1
  }

  deinit {
    // One after the other: released by each other, they would take stack for every element.
    var next = under
    under = nil
    while next != nil, isKnownUniquelyReferenced(&next) {
      let link = next?.under
      next?.under = nil
      next = link
    }
  }

  /// The identifiers from `top` down to where its list meets that of `later`, the lowest one first.
  ///
  /// - Complexity: O(n) in the elements that went and those that came.
  @usableFromInline
  static func gone(from top: StackLink?, to later: StackLink?) -> [StackElementID] {
    var gone: [StackElementID] = []
    var (one, other) = (top, later)
    while let link = one, link !== other {
      if let above = other, above.height >= link.height {
        other = above.under
      } else {
        gone.append(link.id)
        one = link.under
      }
    }
    return gone.reversed()
  }
}
