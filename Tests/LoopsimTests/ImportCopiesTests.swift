import Testing

@testable import loopsim

@Suite("What a second import of the same amounts tells")
struct ImportCopiesTests {
  @Test("store import tells of boluses and meals that were there under another identity")
  func tellsOfCopies() async throws {
    let scratch = try Scratch()
    func treatment(_ id: String, _ time: String, _ amounts: String) -> String {
      """
      {"_id":"\(id)","eventType":"Meal Bolus","created_at":"2026-02-03T\(time)Z",\(amounts)}
      """
    }
    let (store, report) = (scratch.file("a.sqlite"), scratch.file("r.json"))
    let (first, later) = (scratch.file("1.json"), scratch.file("2.json"))
    let meal = "\"insulin\":2,\"carbs\":30"
    try Files.write("[\(treatment("a", "01:10:00", meal))]", to: first)
    let one = await program(["store", "import", store, first, "--report", report])
    #expect(one.code == 0 && !one.error.contains("another identity"), "\(one.error)")
    #expect(try scratch.text(of: "r.json").contains("\"copies\": 0"))
    // The same again under another name, and what only resembles it: another second and amount.
    let others = [
      treatment("b", "01:10:00", meal), treatment("c", "01:10:01", meal),
      treatment("d", "01:10:00", "\"insulin\":2.5"),
    ]
    try Files.write("[\(others.joined(separator: ","))]", to: later)
    let two = await program(["store", "import", store, later, "--report", report])
    #expect(
      two.error.contains(
        "Boluses and carbohydrates that were here already under another identity, 2 of them: the "
          + "first is 2 U, 2026-02-03T01:10:00Z. They count twice now,"), "\(two.error)")
    #expect(try scratch.text(of: "r.json").contains("\"copies\": 2"))
    // Nothing is added again, and nothing is to be told.
    let again = await program(["store", "import", store, later])
    #expect(!again.error.contains("another identity"), "\(again.error)")
  }

  @Test("store import tells of meals of which the store has a nutrient alone")
  func tellsOfParts() async throws {
    let scratch = try Scratch()
    func record(_ type: String, _ grams: Int) -> String {
      """
      <Record type="HKQuantityTypeIdentifierDietary\(type)" sourceName="Food" unit="g" \
      creationDate="2026-01-15 08:00:00 +0000" startDate="2026-01-15 08:00:00 +0000" \
      endDate="2026-01-15 08:00:00 +0000" value="\(grams)"/>
      """
    }
    let file = scratch.file("export.xml")
    try Files.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_US">
      <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Food" \
      creationDate="2026-01-15 08:00:00 +0000" startDate="2026-01-15 08:00:00 +0000" \
      endDate="2026-01-15 08:00:00 +0000">
      \(record("Carbohydrates", 40))
      \(record("Protein", 10))
      </Correlation>
      </HealthData>
      """, to: file)
    let store = scratch.file("a.sqlite")
    let carbs = ["store", "import", store, file, "--type", "DietaryCarbohydrates"]
    for words in [carbs, carbs] {
      let alone = await program(words)
      #expect(alone.code == 0 && !alone.error.contains("Correlations"), "\(alone.error)")
    }
    let whole = await program(["store", "import", store, file])
    #expect(whole.output.hasSuffix("Added: 0. Here already, or deleted here: 1.\n"))
    #expect(
      whole.error.contains(
        "Correlations of which the store has some members alone, 1 of them, and of which the rest "
          + "is left out: the first is DietaryProtein of Food, 2026-01-15T08:00:00Z."),
      "\(whole.error)")
    // All at once is whole, and whole once more.
    let other = scratch.file("b.sqlite")
    for added in [1, 0] {
      let all = await program(["store", "import", other, file])
      #expect(all.output.contains("Added: \(added).") && !all.error.contains("Correlations"))
    }
  }

  @Test("store import tells of copies in meals of several nutrients, and of converted amounts")
  func tellsOfCopiesInMeals() async throws {
    let scratch = try Scratch()
    func record(_ type: String, _ value: String, _ unit: String, _ more: String = "") -> String {
      """
      <Record type="HKQuantityTypeIdentifier\(type)" sourceName="A" unit="\(unit)" \
      creationDate="2026-01-15 08:00:00 +0000" startDate="2026-01-15 08:00:00 +0000" \
      endDate="2026-01-15 08:00:00 +0000" value="\(value)">\(more)</Record>
      """
    }
    let carbs = record("DietaryCarbohydrates", "40", "g")
    let meal = """
      <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="B" \
      creationDate="2026-01-15 08:00:00 +0000" startDate="2026-01-15 08:00:00 +0000" \
      endDate="2026-01-15 08:00:00 +0000">
      \(carbs.replacing("\"A\"", with: "\"B\""))
      \(record("DietaryProtein", "10", "g").replacing("\"A\"", with: "\"B\""))
      </Correlation>
      """
    func bolus(_ units: String) -> String {
      record(
        "InsulinDelivery", units, "IU",
        "<MetadataEntry key=\"HKInsulinDeliveryReason\" value=\"2\"/>")
    }
    let store = scratch.file("a.sqlite")
    let parts = [
      (carbs + bolus("0.35"), nil), (meal, "1 of them: the first is 40 g"),
      (bolus("0.35000000000000003"), "1 of them: the first is 0.35"),
    ]
    for (index, (records, told)) in parts.enumerated() {
      let file = scratch.file("\(index).xml")
      try Files.write("<HealthData locale=\"en_US\">\(records)</HealthData>", to: file)
      let done = await program(["store", "import", store, file])
      #expect(done.code == 0 && done.error.contains(told ?? "taken over"), "\(done.error)")
      #expect(done.error.contains("another identity") == (told != nil), "\(done.error)")
    }
  }
}
