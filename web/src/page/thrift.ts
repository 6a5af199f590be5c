/** Whether the browser was told to save data; then nothing large loads unasked. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
