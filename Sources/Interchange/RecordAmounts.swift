public import HealthStore
internal import StructuredText

extension JSONNode {
  /// The node without the members that are null, which are as good as absent in other programs'
  /// files; the items of a list keep their places.
  var withoutNulls: JSONNode {
    if case .array(let items) = value {
      // Long lists of numbers, such as predictions, are not made anew.
      guard items.contains(where: { $0.members != nil || $0.items != nil }) else { return self }
      return JSONNode(.array(items.map(\.withoutNulls)), at: position)
    }
    guard case .object(let members) = value else { return self }
    let kept = members.compactMap { member -> JSONMember? in
      guard !member.value.isNull else { return nil }
      var member = member
      member.value = member.value.withoutNulls
      return member
    }
    return JSONNode(.object(kept), at: position)
  }
}

extension TextProblem {
  /// What was expected, without the value that was there, so that records alike count together.
  var kind: String {
    if let end = sentence.firstRange(of: ", not ") { return String(sentence[..<end.lowerBound]) }
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }
}

extension Sample {
  /// The quantity of an account to which the sample belongs; `nil` for other samples.
  package var accounted: (quantity: ImportAccount.Quantity, amount: Double)? {
    guard let amount = storedValue else { return nil }
    switch type {
    case .dietaryCarbohydrates: return (.carbohydrates, amount)
    case .insulinDelivery:
      return (metadata.insulinDeliveryReason == .basal ? .basal : .bolus, amount)
    default: return nil
    }
  }
}

extension ImportAccount {
  /// Takes back what a sample holds, which was counted and then not taken over, and names why.
  public mutating func takeBack(_ sample: Sample, because reason: String) {
    if let own = sample.accounted { takeBack(own.quantity, own.amount, because: reason) }
    for member in sample.members { takeBack(member, because: reason) }
  }
}
