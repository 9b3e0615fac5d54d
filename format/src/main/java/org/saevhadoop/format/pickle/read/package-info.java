/**
 * A restricted unpickler for protocols 0 to 5. Start with {@link
 * org.saevhadoop.format.pickle.read.PickleReader}, which reads one pickle from a stream and returns
 * its value; {@code Unpickler} interprets the opcodes with a stack and a memo.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>No code is executed. Globals are checked against an allow-list ({@code KnownGlobal}), and
 *       against a list provided by the caller, which also resolves persistent ids ({@link
 *       org.saevhadoop.format.pickle.read.PersistentLoader}). Extensions, out-of-band buffers, and
 *       persistent ids without such a loader are rejected.
 *   <li>The result is the object that CPython would load, or an error. If CPython fails, reading
 *       fails too.
 *   <li>Memory and time are bounded by {@link org.saevhadoop.format.pickle.value.PickleLimits}, for
 *       any input.
 *   <li>Errors have a {@link org.saevhadoop.format.pickle.value.PickleError}, the opcode and its
 *       position.
 * </ul>
 *
 * <p>Sources: Lib/pickle.py, Modules/_pickle.c and Lib/pickletools.py of CPython 3; PEP 307
 * (protocol 2), PEP 3154 (protocol 4, frames) and PEP 574 (protocol 5); {@code __reduce__} and
 * {@code __setstate__} of arrays, dtypes and scalars in numpy 1 and 2.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickle.read;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
