import { noteOfOldCode } from '../../note-document.ts';
import { serveNote } from '../serve-note.ts';

serveNote(noteOfOldCode);
