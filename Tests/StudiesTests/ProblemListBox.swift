import StructuredText

/// A list of problems that a test may look into.
struct ProblemListBox {
  let list = ProblemList()
}
