/**
 * A streaming pickler for protocols 2, 4 and 5. Start with {@link
 * org.saevhadoop.format.pickle.write.PickleWriter}, which writes one pickle object by object;
 * {@code PickleOpcodes} encodes simple objects and {@code FramedSink} groups opcodes in frames.
 *
 * <p>All values of {@link org.saevhadoop.format.pickle.value.PythonValue} can be written. Lists and
 * dicts can also be begun and ended explicitly, so that a pickle may be larger than memory.
 *
 * <p>Guarantees: every CPython 3 that supports the protocol loads objects equal to those written,
 * and numpy 1 and 2 load arrays in C order. Memory use is constant: the memo contains only globals,
 * dtypes and short keys, and shared objects are written once per occurrence.
 *
 * <p>Sources: Lib/pickle.py and Modules/_pickle.c of CPython 3 for opcodes, batches and frames (PEP
 * 3154); {@code ndarray.__reduce__} and {@code dtype.__reduce__} of numpy for arrays and dtypes.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickle.write;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
