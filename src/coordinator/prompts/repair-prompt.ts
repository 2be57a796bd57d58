/** What stands around the complaints, in the one repair that a turn gets (D17). */
export const repairPrompt = (complaints: string): string =>
  `Nothing of this was carried out. What is wrong, by its place in your answer:

${complaints}

Call \`decide\` once more with the whole decision, corrected in exactly these places. The item has not changed. If a place cannot be corrected, leave that part out and decide what can be decided. Do not mention these corrections to the person.`;
