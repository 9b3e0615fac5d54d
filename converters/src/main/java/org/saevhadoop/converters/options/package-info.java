/**
 * Command line options that are derived from keys. The class to begin with is {@link
 * org.saevhadoop.converters.options.KeyOptions}.
 *
 * <ul>
 *   <li>An option takes its name, label, range, default and help from its {@link
 *       org.saevhadoop.format.settings.SettingKey}; they are not repeated in a command.
 *   <li>Values are checked before any file is opened. Options take precedence over keys in the
 *       configuration, with a warning if they differ; options that set one key to different values
 *       exclude each other.
 *   <li>Several formats may have an option with the same name. Such an option sets the key of the
 *       format that is read or written. A key that several formats list has one option, with the
 *       names of all these formats.
 *   <li>An unknown key causes a warning that names the most similar known key; an option without
 *       effect causes a warning too.
 * </ul>
 *
 * <p>{@link org.saevhadoop.converters.options.CommandHelp}, the manual page, completion and the
 * option tables of docs/commands are generated from the same keys. A group of keys forms a section
 * of the help; a key that is marked as {@linkplain
 * org.saevhadoop.format.settings.SettingKey#everyday everyday} is in the short help.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.options;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
