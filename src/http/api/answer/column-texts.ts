export const columnTexts: Readonly<Record<string, string>> = {};
