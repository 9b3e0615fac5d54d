/**
 * JSON as read and written by Python programs. Documents are hashed, compared and written byte for
 * byte as by the original programs, so the spelling of numbers and escapes and the order of keys
 * are kept.
 *
 * <p>Which class to use:
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.json.PythonJson} for whole documents: maps, lists, strings and
 *       {@link org.saevhadoop.format.json.JsonNumber}, which keeps a number's text. A {@link
 *       org.saevhadoop.format.json.JsonStyle} names the call whose bytes are written, such as
 *       {@code json.dumps(x, sort_keys=True)} or {@code orjson.dumps(x, option=OPT_INDENT_2)}.
 *   <li>{@link org.saevhadoop.format.json.JsonTextScanner} and {@link
 *       org.saevhadoop.format.json.JsonTextWriter} for callers with their own values, limits and
 *       errors: they handle single tokens. {@code format.pickle} uses these two classes.
 *   <li>{@link org.saevhadoop.format.json.JsonNodeWriter} for Jackson trees whose text is too long
 *       to fit in memory.
 *   <li>{@link org.saevhadoop.format.json.Jackson} for documents whose exact text does not matter,
 *       because only this project reads them. It is the only factory for Jackson parsers. {@link
 *       org.saevhadoop.format.json.JsonLimits} bounds a document before it is parsed.
 *   <li>{@link org.saevhadoop.format.json.JsonEscapes} and {@link
 *       org.saevhadoop.format.json.CodePointOrder} for individual strings.
 * </ul>
 *
 * <p>Text that is not JSON causes a {@link org.saevhadoop.format.io.FormatException} with the
 * position. Documents have at most 500 levels of nesting, which bounds the stack; memory and time
 * are proportional to the length of the text. Lone surrogates, integers of any length, NaN, the
 * infinities and -0.0 are preserved. Only the class {@code Jackson} reads text with the Jackson
 * library, whose limits and messages differ from version to version.
 *
 * <p>The rules and their sources:
 *
 * <ul>
 *   <li>The grammar follows <a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259</a>, sections
 *       2 to 7, with CPython's constants NaN, Infinity and -Infinity (3.11, <a
 *       href="https://github.com/python/cpython/blob/v3.11.7/Lib/json/decoder.py">decoder.py</a>,
 *       with {@code strict=True}, and <a
 *       href="https://github.com/python/cpython/blob/v3.11.7/Lib/json/scanner.py">scanner.py</a>).
 *   <li>{@code ensure_ascii}, {@code sort_keys}, {@code indent} and the separators follow CPython
 *       3.11's <a
 *       href="https://github.com/python/cpython/blob/v3.11.7/Lib/json/encoder.py">encoder.py</a>.
 *   <li>Output in the style of orjson follows orjson 3.8.3. For floats from 1e16 on, orjson 3.12.0
 *       writes {@code 1e+16}, whereas versions with ryu write {@code 1e16}, as does this project.
 *   <li>Floats are formatted by {@link org.saevhadoop.format.tensor.FloatText}.
 * </ul>
 */
@Internal
@NullMarked
package org.saevhadoop.format.json;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
