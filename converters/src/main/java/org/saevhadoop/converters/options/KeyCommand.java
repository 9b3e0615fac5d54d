package org.saevhadoop.converters.options;

import java.util.List;

/** A command with options that set keys. */
public interface KeyCommand {
  /** Returns the keys, in the order in which the help lists their options. */
  List<KeyOptions.Group> keyGroups();

  /** Sets the options, which provide the user's values once the command line is parsed. */
  void use(KeyOptions options);
}
