/** Little-endian float32 values from base64. */
export function floatsFromBase64(text: string): Float32Array {
  const binary = atob(text);
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** Cosine of two vectors of one length; 0 when either is all zeros. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  const lengths = Math.sqrt(lengthA * lengthB);
  return lengths === 0 ? 0 : product / lengths;
}
