import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import typescript from 'typescript-eslint';

const sizes = {
  'max-lines': ['error', 400],
  'max-lines-per-function': ['error', 60],
};

/** What a tired reader has to decode, in comments and in titles of tests. */
const hardWords = ['anew', 'so many'];
const plainComments = { 'no-warning-comments': ['error', { terms: hardWords, location: 'anywhere' }] };
const plainTitles = {
  selector: `CallExpression[callee.name=/^(it|describe)$/] > :matches(Literal[value=/\\b(${hardWords.join('|')})\\b/i], TemplateLiteral:has(TemplateElement[value.raw=/\\b(${hardWords.join('|')})\\b/i]))`,
  message: 'Say "again", or the number.',
};

/** A number, a text or a pattern that is written down at the head of a file. */
const writtenDown =
  'VariableDeclaration[kind="const"] > VariableDeclarator[init.type=/^(Literal|BinaryExpression|UnaryExpression)$/][id.name=/[a-z]/]';

export default typescript.config(
  { ignores: ['dist/', 'cli/dist/', 'artifacts/', 'out/', '.host/', '**/node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...typescript.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...sizes,
      ...plainComments,
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'cli/src/**/*.ts'],
    plugins: { regexp },
    // Logs, events and connection strings are other people's: a pattern that tries again and again could stop the editor.
    rules: { 'regexp/no-super-linear-backtracking': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        ...['Program', 'Program > ExportNamedDeclaration'].map((head) => ({
          selector: `${head} > ${writtenDown}`,
          message: 'A constant is in capitals.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'simulator/test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'no-restricted-syntax': ['error', plainTitles] },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'URLSearchParams',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'require',
          'module',
          'exports',
          '__dirname',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: sizes,
  },
  { files: ['**/*.{js,cjs}'], languageOptions: { sourceType: 'commonjs' } },
  prettier,
);
