/** Waits until `isTrue`, polling; throws with `what` when a minute has passed (a guard against hanging). */
export async function until(what: string, isTrue: () => Promise<boolean> | boolean, guardMs = 60_000): Promise<void> {
  const end = performance.now() + guardMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
