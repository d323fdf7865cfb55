// Rules for the pages (stream/console/assets) and for what drives them here. Run from
// the root: make lint-pages. Only rules that find defects; layout is left to the writer.
import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  { files: ['stream/console/assets/**'], languageOptions: { globals: globals.browser } },
  { files: ['internal/e2e/**'], languageOptions: { globals: { ...globals.node, ...globals.browser } } }, // functions given to page.evaluate run in the browser
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'consistent-return': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }], // == null is undefined as well, on purpose
      'no-await-in-loop': 'off', // steps of a test and lines of a queue go one after the other
      'no-constructor-return': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-promise-executor-return': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-template-curly-in-string': 'error',
      'no-throw-literal': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unreachable-loop': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
      'no-var': 'error',
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }], // what is fetched last is used in functions above
      'require-atomic-updates': ['error', { allowProperties: true }], // of properties it also finds every report of a test
    },
  },
];
