/** Names and texts in the T-SQL of the live tests: past the product's own quoting, which is under test. */
export const quoteName = (name: string): string => `[${name.replace(/]/g, ']]')}]`;
export const quoteText = (text: string): string => `N'${text.replace(/'/g, "''")}'`;
