import { note } from '../../note-document.ts';
import { serveNote } from '../serve-note.ts';

serveNote(note);
