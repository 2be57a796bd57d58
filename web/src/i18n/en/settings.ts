/** Settings of the installation and of this browser, VPs, models, tokens, webhooks. */
export const settings = { settings: { title: 'Settings' } } as const;
