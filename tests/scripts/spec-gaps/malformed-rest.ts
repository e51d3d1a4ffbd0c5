import type { Malformation } from './malformation.ts';
import { sampleMarkdown } from './sample-markdown.ts';

const third = sampleMarkdown.slice(sampleMarkdown.indexOf('## 3.'), sampleMarkdown.indexOf('## 4.'));
const fourth = sampleMarkdown.slice(sampleMarkdown.indexOf('## 4.'), sampleMarkdown.indexOf('## 5.'));
const place = '  - `src/shape/`: one file.';

/** Ways to write wrongly what stands around the nine sections. */
export const malformedRest: readonly Malformation[] = [
  {
    name: 'a missing title',
    from: '# Specification gaps\n',
    to: '',
    message: 'SPEC_GAPS.md:2:1: expected the heading "# Specification gaps" at the top, found a paragraph',
  },
  {
    name: 'a missing section',
    from: third,
    to: '',
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 4. States and transitions"',
  },
  {
    name: 'sections in another order',
    from: third + fourth,
    to: fourth + third,
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 4. States and transitions"',
  },
  {
    name: 'a tenth section',
    from: '## Choices made',
    to: '## 10. Colours\n\n## Choices made',
    message:
      'SPEC_GAPS.md:203:1: expected the heading "## Choices made to have something that runs" after the nine sections, found the heading "## 10. Colours"',
  },
  {
    name: 'choices without an introduction',
    from: 'An introduction to the choices.\n\n',
    to: '',
    message: 'SPEC_GAPS.md:205:1: expected an introduction to the choices, found a bulleted list',
  },
  {
    name: 'choices that are not a list',
    from: '- **Colour**',
    to: '**Colour**',
    message: 'SPEC_GAPS.md:207:1: expected a bulleted list of choices, found a paragraph',
  },
  {
    name: 'a choice without a name',
    from: '**Shape**: round',
    to: 'Round',
    message: 'SPEC_GAPS.md:210:3: expected a name in bold, a colon and the choice, found text',
  },
  {
    name: 'a choice without a place',
    from: `${place}\n`,
    to: '',
    message: 'SPEC_GAPS.md:210:1: expected a list with the one place where "Shape" is changed, found none',
  },
  {
    name: 'a choice with prose in place of the place',
    from: `${place}\n`,
    to: '\n  More.\n',
    message:
      'SPEC_GAPS.md:212:3: expected a list with the one place where "Shape" is changed, found a paragraph',
  },
  {
    name: 'a choice with a place that is no path',
    from: place,
    to: '  - one file.',
    message:
      'SPEC_GAPS.md:211:5: expected a path as code, a colon and what goes there where "Shape" is changed, found text',
  },
  {
    name: 'a choice with two places',
    from: place,
    to: `${place}\n  - \`src/form/\`: one file.`,
    message:
      'SPEC_GAPS.md:212:3: expected a list with the one place where "Shape" is changed, found a second place',
  },
  {
    name: 'a choice with more after its place',
    from: place,
    to: `${place}\n\n  More.`,
    message:
      'SPEC_GAPS.md:213:3: expected nothing after the place where "Shape" is changed, found a paragraph',
  },
  {
    name: 'a missing list of what is left out',
    from: '- Every `wheel`.\n- The boat.\n',
    to: '',
    message: 'SPEC_GAPS.md:215:1: expected a bulleted list of what was left out, found the end of the file',
  },
  {
    name: 'a misspelt last section',
    from: '## Left out on purpose',
    to: '## Left out',
    message:
      'SPEC_GAPS.md:213:1: expected the heading "## Left out on purpose" after the choices, found the heading "## Left out"',
  },
  {
    name: 'more after the last section',
    from: '- The boat.\n',
    to: '- The boat.\n\n## More\n',
    message: 'SPEC_GAPS.md:218:1: expected the end of the file, found the heading "## More"',
  },
  {
    name: 'an empty file',
    from: sampleMarkdown,
    to: '',
    message:
      'SPEC_GAPS.md:1:1: expected the heading "# Specification gaps" at the top, found the end of the file',
  },
];
