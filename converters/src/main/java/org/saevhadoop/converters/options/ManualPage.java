package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.saevhadoop.format.staged.ProgramVersion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The manual page of the program, in the macros of man(7): the output of {@code --help-all} for
 * each command, with sections of shared options shown once.
 */
final class ManualPage {
  private final CommandLine root;
  private final StringBuilder page = new StringBuilder();

  /** For each section of options, the commands that have it. */
  private final Map<OptionSection, List<String>> users = new LinkedHashMap<>();

  private ManualPage(CommandLine root) {
    this.root = root;
    for (CommandLine command : CommandHelp.commands(root)) {
      for (OptionSection section : own(command)) {
        users.computeIfAbsent(section, s -> new ArrayList<>()).add(command.getCommandName());
      }
    }
  }

  static String of(CommandLine root) {
    ManualPage manual = new ManualPage(root);
    manual.program();
    CommandHelp.commands(root).forEach(manual::command);
    manual.sharedSections();
    manual.footer(root.getCommandSpec());
    return manual.page.toString();
  }

  private void program() {
    CommandSpec spec = root.getCommandSpec();
    String about = text(spec.usageMessage().description());
    macro("TH", spec.name().toUpperCase(Locale.ROOT), "1", "", ProgramVersion.text(), "");
    macro("SH", "NAME");
    line(spec.name() + " - " + about.substring(0, 1).toLowerCase(Locale.ROOT) + about.substring(1));
    macro("SH", "SYNOPSIS");
    line(synopsis(root));
    macro("SH", "COMMANDS");
    for (CommandLine command : CommandHelp.commands(root)) {
      item(command.getCommandName(), command.getCommandSpec().usageMessage().description()[0]);
    }
    for (OptionSection section : CommandHelp.sections(root)) {
      macro("SH", section.heading().toUpperCase(Locale.ROOT));
      section.lines().forEach(line -> item(line.usage(), line.help()));
    }
  }

  private void command(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    macro("SH", spec.qualifiedName());
    line(synopsis(command));
    macro("PP");
    line(text(spec.usageMessage().description()));
    List<String> shared = new ArrayList<>();
    for (OptionSection section : own(command)) {
      if (isShared(section)) {
        shared.add(section.heading());
      } else {
        section("SS", section);
      }
    }
    if (!shared.isEmpty()) {
      macro("SS", "Options below");
      line(String.join("; ", shared) + ".");
    }
    if (spec.usageMessage().footer().length > 0) {
      macro("SS", text(spec.usageMessage().footerHeading()).strip().replaceAll(":$", ""));
      literal(List.of(spec.usageMessage().footer()));
    }
  }

  private void sharedSections() {
    users.forEach(
        (section, commands) -> {
          if (isShared(section)) {
            macro("SH", section.heading().toUpperCase(Locale.ROOT));
            line("Of the commands " + String.join(", ", commands) + ".");
            section.lines().forEach(line -> item(line.usage(), line.help()));
          }
        });
  }

  /** Appends the end of the help; its headings are lines that end in a colon. */
  private void footer(CommandSpec spec) {
    List<String> block = new ArrayList<>();
    for (String line : spec.usageMessage().footer()) {
      if (line.startsWith(" ")) {
        block.add(line);
        continue;
      }
      literal(block);
      block.clear();
      int colon = line.indexOf(':');
      if (colon >= 0) {
        macro("SH", line.substring(0, colon).toUpperCase(Locale.ROOT));
        line(line.substring(colon + 1).strip());
      }
    }
    literal(block);
  }

  private boolean isShared(OptionSection section) {
    return users.getOrDefault(section, List.of()).size() > 1
        && !section.heading().equals(OptionSection.ARGUMENTS);
  }

  /** Returns the sections of a command without the options that all commands have. */
  private static List<OptionSection> own(CommandLine command) {
    return CommandHelp.sections(command).stream()
        .filter(section -> !section.heading().equals(OptionSection.OF_ALL_COMMANDS))
        .toList();
  }

  private static String synopsis(CommandLine command) {
    return new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF))
        .synopsis(0)
        .strip();
  }

  private static String text(String... format) {
    return String.join(" ", format).formatted();
  }

  private void section(String macro, OptionSection section) {
    macro(macro, section.heading());
    section.lines().forEach(line -> item(line.usage(), line.help()));
  }

  private void item(String name, String help) {
    macro("TP");
    page.append("\\fB").append(escaped(name)).append("\\fR\n");
    line(help);
  }

  private void literal(List<String> lines) {
    if (!lines.isEmpty()) {
      macro("nf");
      lines.forEach(this::line);
      macro("fi");
    }
  }

  private void macro(String name, String... arguments) {
    page.append('.').append(name);
    for (String argument : arguments) {
      page.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }

  /** Appends lines of text, escaped so that no line is taken for a macro. */
  private void line(String text) {
    text.lines().forEach(line -> page.append("\\&").append(escaped(line)).append('\n'));
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }
}
