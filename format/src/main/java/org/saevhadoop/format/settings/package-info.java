/**
 * Typed settings. This package is independent of any dataset format and of Hadoop.
 *
 * <p>Start with {@link org.saevhadoop.format.settings.SettingKey}, which describes one setting: its
 * name, type, default, help, and the command line options that set it. {@link
 * org.saevhadoop.format.settings.Settings} is an immutable set of keys with values; a value is
 * checked once, when it is parsed.
 *
 * <p>{@link org.saevhadoop.format.settings.SettingTypes} creates the types. Each {@link
 * org.saevhadoop.format.settings.ValueType} parses text into values, and converts each value to
 * text that it parses into an equal value. Invalid text or an unknown name causes a {@link
 * org.saevhadoop.format.settings.SettingException}, which names the option or key that was given.
 */
@NullMarked
package org.saevhadoop.format.settings;

import org.jspecify.annotations.NullMarked;
