// What somebody typed as a number: a decimal comma is a point.
export function typedNumber(text) {
  const plain = text.trim().replace("−", "-").replace(/^([^.]*),([^,.]*)$/, "$1.$2");
  return plain === "" ? NaN : Number(plain);
}
